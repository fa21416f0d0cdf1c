/**
 * Chooses the route that pays each kind: the one that fits, or the one that a person or a flag chooses. It never guesses between
 * two that fit.
 */

import { Fault } from '../../domain/fault.ts';
import { chooseAmong } from '../../domain/likeness.ts';
import type { RouteSettings } from '../../domain/settings.ts';
import { typedPath } from '../../domain/typed-path.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { offersFor, type RouteOffer } from '../../preflight/route-offers.ts';
import type { AssignedRoute } from '../../preflight/routes.ts';
import { submissions } from '../../service/submissions/index.ts';
import { askToChoose } from '../screens/ask.ts';
import type { Shell } from '../shell.ts';
import { canAsk, stopped } from './account-questions.ts';

/** The input for the choice of routes. */
interface RouteRequest {
  readonly country: string;
  readonly assigned: readonly AssignedRoute[];
  /** `KIND=ROUTE`, `KIND=ROUTE/CHANNEL` or `KIND=none`, as they were typed. */
  readonly flags: readonly string[];
  /** Whether the profile has an address for callbacks. */
  readonly hasCallbacks: boolean;
}

/** A kind and how it is paid; without a route, `why` says the reason. */
export interface KindRoute {
  readonly kind: Kind;
  readonly chosen?: { readonly route: RouteSettings; readonly name: string };
  readonly why?: string;
}

/** The value of a flag that leaves a kind out. */
const NONE = 'none';

const NO_CALLBACKS = 'it needs --callback-url (paybatch listen)';

interface OfferedKind {
  readonly kind: Kind;
  readonly offers: readonly RouteOffer[];
  /** The choice of a flag; `none` if no route is to pay the kind. */
  readonly said: RouteOffer | typeof NONE | undefined;
  /** Whether orders of the kind must name an address for callbacks, and the profile has none. */
  readonly isDeaf: boolean;
}

/**
 * Returns how each kind is paid. On a terminal the choice is shown and can be changed. Throws a Fault if nothing would be payable,
 * or if a choice is open where no person can be asked.
 */
export async function chooseRoutes(shell: Shell, request: RouteRequest): Promise<readonly KindRoute[]> {
  const said = saidBy(request);
  const offered = kinds.map((kind): OfferedKind => {
    return {
      kind,
      offers: offersFor(kind, request.country, request.assigned),
      said: said.get(kind.name),
      isDeaf: !request.hasCallbacks && submissions[kind.submission].namesCallback,
    };
  });
  const chosen = canAsk(shell) ? await chooseWithPerson(shell, offered) : offered.map(settled);
  if (chosen.some((one) => one.chosen)) return chosen;
  const why = chosen.map((one) => `${one.kind.title}: ${one.why}`);
  throw new Fault(
    'route-missing',
    'No way of paying has a route, so nothing could be paid. Nothing was written.',
    'Ask the provider for routes, or name those that are right: --route KIND=ROUTE/CHANNEL. All of them: paybatch api find-routes',
    { details: [...why, ...namesOf(offered)] },
  );
}

const namesOf = ([one]: readonly OfferedKind[]): readonly string[] =>
  (one?.offers ?? []).map(({ route, name }) => `The account has ${route.routeId}/${route.channelType}: ${name}`);

/** Returns how a kind is paid where no person can be asked. Throws a Fault `usage` if several routes fit. */
function settled(offered: OfferedKind): KindRoute {
  const proposed = proposalFor(offered);
  if (proposed !== 'open') return proposed;
  const { kind, offers } = offered;
  const ways = offers
    .filter(({ fits }) => fits)
    .map(({ route, name }) => `--route ${kind.name}=${route.routeId}   (${name})`);
  throw new Fault(
    'usage',
    `${kind.title} could be paid by ${ways.length} routes of this account, and only you know by which. Nothing was written.`,
    `Add one of them, or --route ${kind.name}=${NONE}.`,
    { details: ways },
  );
}

/** Returns the choice that follows from the flags and routes; `open` if a person has to choose. */
function proposalFor({ kind, offers, said, isDeaf }: OfferedKind): KindRoute | 'open' {
  if (said === NONE) return { kind, why: 'left out' };
  const [one, other] = said ? [said] : offers.filter(({ fits }) => fits);
  if (!one) return { kind, why: 'the account has no route for it' };
  if (isDeaf) return { kind, why: NO_CALLBACKS };
  return other ? 'open' : { kind, chosen: one };
}

async function chooseWithPerson(shell: Shell, offered: readonly OfferedKind[]): Promise<readonly KindRoute[]> {
  const { terminal } = shell;
  const proposed: KindRoute[] = [];
  for (const one of offered) {
    const proposal = proposalFor(one);
    proposed.push(proposal === 'open' ? await chooseFor(shell, one) : proposal);
  }
  terminal.say('What this account can pay, and the route that would carry it:');
  for (const line of routeLines(proposed)) terminal.say(line);
  const answer = await askToChoose(shell, 'Pay by these routes?', [
    { value: 1, label: 'Yes' },
    { value: 2, label: 'No, choose for each way of paying' },
  ]);
  if (answer === undefined) throw stopped();
  if (answer === 1) return proposed;
  const chosen: KindRoute[] = [];
  for (const one of offered)
    chosen.push(one.isDeaf ? { kind: one.kind, why: NO_CALLBACKS } : await chooseFor(shell, one));
  return chosen;
}

async function chooseFor(shell: Shell, { kind, offers }: OfferedKind): Promise<KindRoute> {
  const choices = offers.map(({ name }, value) => ({ value, label: name }));
  const nothing = { value: -1, label: 'none of these: it is not used' };
  // The proposal comes first, because Enter takes the first choice.
  const ordered = offers[0]?.fits === true ? [...choices, nothing] : [nothing, ...choices];
  const answer = await askToChoose(shell, `Which route pays "${kind.title}"?`, ordered);
  if (answer === undefined) throw stopped();
  const chosen = offers[answer];
  return chosen ? { kind, chosen } : { kind, why: 'left out' };
}

/** Returns one line for each kind, for people. */
function routeLines(routes: readonly KindRoute[]): readonly string[] {
  const width = Math.max(...routes.map(({ kind }) => kind.title.length)) + 2;
  return routes.map(
    ({ kind, chosen, why }) => `  ${kind.title.padEnd(width)}${chosen ? chosen.name : `left out: ${why}`}`,
  );
}

/** Returns the choices of the flags, by kind. Throws a Fault `usage` for an unknown kind or route. */
function saidBy({ flags, country, assigned }: RouteRequest): ReadonlyMap<string, RouteOffer | typeof NONE> {
  return new Map(
    flags.map((flag): readonly [string, RouteOffer | typeof NONE] => {
      const [, name = '', id = '', channel] = /^([^=]*)=([^/]*)(?:\/(\d+))?$/.exec(flag.trim()) ?? [];
      const kind = kinds.find((one) => one.name === name.trim().toLowerCase());
      if (!kind) {
        const known = kinds.map((one): string => one.name);
        throw new Fault(
          'usage',
          `--route ${flag.slice(0, 60)} names no way of paying. Nothing was written.`,
          `${chooseAmong(name, known)} It takes KIND=ROUTE.`,
        );
      }
      if (id.trim().toLowerCase() === NONE) return [kind.name, NONE];
      return [kind.name, offerNamed(kind, offersFor(kind, country, assigned), id.trim(), channel)];
    }),
  );
}

function offerNamed(kind: Kind, offers: readonly RouteOffer[], id: string, channel: string | undefined): RouteOffer {
  const named = offers.filter(({ route }) => route.routeId.toLowerCase() === id.toLowerCase());
  const fitting = named.filter(
    ({ route }) => route.channelType === (channel === undefined ? kind.channelType : Number(channel)),
  );
  const [offer] = fitting.length > 0 || channel !== undefined ? fitting : named.length === 1 ? named : [];
  if (offer) return offer;
  const ways = offers.map(
    ({ route, name }) => `--route ${kind.name}=${route.routeId}/${route.channelType}   (${name})`,
  );
  throw new Fault(
    'usage',
    `The account has no such route for ${kind.title}: ${typedPath(id.slice(0, 60))}. Nothing was written.`,
    'Use one of these.',
    { details: ways },
  );
}
