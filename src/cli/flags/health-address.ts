/** Where the health of a worker is told: a port of this machine, or of another address of it. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Only this machine reaches it. */
const DEFAULT_HOST = '127.0.0.1';

export interface HealthAddress {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/** `9100`, `0.0.0.0:9100` or `[::]:9100`, for commander's own parsing. */
export function healthAddress(text: string): HealthAddress {
  const [, host = DEFAULT_HOST, digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = digits === '' ? Number.NaN : Number(digits);
  if (port <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
  throw new InvalidArgumentError('It takes a port, or an address and a port: 9100, or 0.0.0.0:9100.');
}
