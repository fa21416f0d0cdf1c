/** Faults of several schedules, told as one: no schedule hides what another one says. */
import { counted } from '../domain/counted.ts';
import { Fault } from '../domain/fault.ts';
import { shown } from '../domain/shown-text.ts';

/** Returns a Fault that says which schedule it is about, because other schedules may have been paid. */
export const ofSchedule = (name: string, { code, message, remedy, details, cause }: Fault): Fault =>
  new Fault(code, `Schedule ${shown(name)}: ${message}`, remedy, { details, cause });

/** Returns a Fault with what further ones say, of which it names at most `furtherMax`. */
export function withFurther(fault: Fault, further: readonly Fault[], furtherMax = Number.POSITIVE_INFINITY): Fault {
  if (further.length === 0) return fault;
  const { code, message, remedy, details } = fault;
  const more = further.length - furtherMax;
  const said = [
    ...details,
    ...further.slice(0, furtherMax).flatMap((one) => [`${one.message} ${one.remedy}`, ...one.details]),
    ...(more > 0 ? [`And ${counted(more, 'more period')}: paybatch schedule list --last ${further.length + 1}`] : []),
  ];
  return new Fault(code, message, remedy, { details: said, cause: fault.cause });
}
