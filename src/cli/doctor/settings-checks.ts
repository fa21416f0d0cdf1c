/** Checks of the configuration: settings and secrets, who pays, who approves, what is scheduled. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isKeyText, isLocked } from '../../approval/approver-key.ts';
import { requirePolicyInForce } from '../../approval/policy.ts';
import type { ApprovalPolicy } from '../../domain/approval.ts';
import { localTime } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { systemCode } from '../../domain/fault.ts';
import type { RemitterField } from '../../domain/settings.ts';
import { forMeAlone, whoElseReads, whoElseWrites } from '../../files/file-rights.ts';
import { kinds } from '../../kinds/index.ts';
import { duePeriods } from '../../schedule/due.ts';
import { occurrencesBetween } from '../../schedule/occurrences.ts';
import { batchNameOf, type Schedule } from '../../schedule/schedule.ts';
import { readsAlone } from '../config/account.ts';
import { ignoredProxyText, type LoadedConfig } from '../config/load-config.ts';
import {
  faultOfUnusable,
  knownSchedules,
  missedSince,
  recordIn,
  type ScheduleRecords,
} from '../schedule/period-status.ts';
import { lastTrigger, ScheduleFiles } from '../state/schedule-files.ts';
import { type Check, type Finding, ok, problem, type Unproblematic, type Warning, warning } from './check.ts';
import type { DoctorContext } from './doctor-context.ts';

export const configuration: Check = {
  name: 'configuration',
  title: 'Configuration',
  look(context) {
    const [loaded, settings, currency] = [context.loaded(), context.settings(), context.currency()];
    const { file, profileName, account, profile } = loaded;
    const where = file ?? 'no file; every setting has its default value';
    const who = `${settings.organisation}, ${currency.code}, ${settings.country}`;
    if (!account) return ok(`SANDBOX: practice, no real money moves (profile ${profileName}; ${where}; ${who}).`);
    const { origin } = new URL(account.baseUrl);
    const isGiven = profile.baseUrl?.replace(/\/+$/, '') !== account.baseUrl;
    const source = isGiven ? ', from the environment' : '';
    const way = account.proxy === undefined ? '' : `, through the proxy ${account.proxy}`;
    const named = `Profile ${profileName} at ${origin}${source}${way} (${where}; ${who}).`;
    const ignored = ignoredProxyText(loaded);
    return ignored ? warning(`${named} ${ignored.says}`, ignored.fix) : ok(named);
  },
};

export const secretFiles: Check = {
  name: 'secrets',
  title: 'Secrets',
  look(context) {
    const loaded = context.loaded();
    const files = secretsOf(loaded, context.shell.cwd);
    if (files.length === 0) return ok(secretAt(loaded));
    const open = files.filter(isOpen);
    if (open.length === 0) return ok(`${files.join(', ')}: for nobody else.`);
    return warning(
      `Other users of this machine have access to ${open.join(', ')}.`,
      `${open.map(forMeAlone).join('; ')}; and ask for a new secret if others use this machine.`,
    );
  },
};

/** Reports whether anybody else can read or write a file. */
function isOpen(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && (whoElseWrites(file, stats) ?? whoElseReads(file, stats)) !== undefined;
}

function secretAt({ account, reach }: LoadedConfig): string {
  if (!account) return 'None is needed here.';
  if (readsAlone({ reach })) return 'There is no client secret: this profile can only read its ledger.';
  return `The client secret is in the ${account.secretKeychain === undefined ? 'environment' : 'keychain of this system'}, in no file.`;
}

/**
 * Returns the files that hold secrets. A person who has the secret of the callbacks can only make paybatch look something
 * up, but it should stay private all the same.
 */
const secretsOf = ({ account, profile }: LoadedConfig, cwd: string): readonly string[] => [
  ...(account?.secretFile === undefined ? [] : [account.secretFile]),
  ...[profile.callbacks.secretFile, profile.notify?.webhook?.secretFile, profile.notify?.mail?.passwordFile].flatMap(
    (file) => (file === undefined ? [] : [path.resolve(cwd, file)]),
  ),
];

/** Compares the remitter with the fields that each way of paying with a route needs. */
export const remitter: Check = {
  name: 'remitter',
  title: 'Remitter',
  look(context) {
    const settings = context.settings();
    const lacked = (fields: readonly RemitterField[]): string =>
      fields.filter((field) => !settings.remitter?.[field]).join(', ');
    const routed = kinds.flatMap(({ name, title, remitter: needs }) =>
      needs && settings.routes[name] ? [{ title, ...needs }] : [],
    );
    const file = settings.file ?? 'paybatch.config.json';
    const unpayable = routed.flatMap(({ title, always }) => {
      const fields = lacked(always);
      return fields === '' ? [] : [`${title}: no row can be paid without ${fields} of the remitter.`];
    });
    if (unpayable.length > 0)
      return problem('configuration', unpayable.join(' '), `Add them to "remitter" in ${file}.`);
    // Fields that are made up for a rehearsal go nowhere.
    if (settings.sandbox) return ok('SANDBOX: what is not configured is made up for the rehearsal.');
    const asked = routed.flatMap(({ title, published = [], standIn }) => [
      ...published.flatMap(({ form, fields }) => {
        const missing = lacked(fields);
        return missing === '' ? [] : [`${title}, ${form}: ${missing}.`];
      }),
      ...(standIn && lacked([standIn.remitter]) !== ''
        ? [`${title}, rows without ${standIn.field}: ${standIn.remitter}.`]
        : []),
    ]);
    if (asked.length === 0) return ok('The configuration has everything about the payer that the routes may ask for.');
    return warning(
      `Your provider may ask for more about who pays. ${asked.join(' ')}`,
      `Nothing to do unless a payment is refused for it: then add it to "remitter" in ${file}.`,
    );
  },
};

/** Checks that configuration and ledger agree on who must approve, and that enough people can. */
export const approvals: Check = {
  name: 'approvals',
  title: 'Approvals',
  async look(context) {
    const { approval, profile } = context.settings();
    const ledger = await context.ledger();
    const inForce = await ledger.approvalPolicy();
    requirePolicyInForce(inForce?.policy, approval);
    return findingOfPolicy(approval, profile, inForce !== undefined);
  },
};

/**
 * Returns whether enough people are named for every sum, whichever of them makes the plan. The configuration has already
 * refused a tier that requires more people than are named.
 */
export function findingOfPolicy(policy: ApprovalPolicy | undefined, profile: string, isInForce: boolean): Finding {
  if (!policy) return ok('No approvals are required: anyone who can run paybatch pays by control totals.');
  const { tiers, approvers, makerKey } = policy;
  const names = Object.keys(approvers);
  const most = Math.max(0, ...tiers.map(({ required }) => required));
  if (tiers.length === 0) {
    return warning(
      `${counted(names.length, 'approver is', 'approvers are')} named, and no tier says for which sums: every sum may be paid without them.`,
      'Add approval.tiers, for example [{ "above": { "KES": "0" }, "required": 1 }].',
    );
  }
  if (!makerKey) {
    return warning(
      'The maker of a plan can also approve it, because plans are not signed by their maker.',
      'Set approval.makerKey to true, and let the approvers in force sign that change: paybatch approver change --key FILE',
    );
  }
  if (most === names.length) {
    return warning(
      `The highest tier asks for all approvers (${most}): where one of them makes the plan, or is away, it cannot be paid.`,
      `Name one more in approval.approvers of the profile "${profile}".`,
    );
  }
  return ok(
    `${counted(names.length, 'person', 'people')} may approve (${names.join(', ')}), and the highest tier asks for ${most}; ${isInForce ? 'the ledger says the same' : 'it applies from the first batch that is paid'}.`,
  );
}

/** Most files of a folder that are looked into. */
const FILES_MAX = 500;
/** Longest file that is read, in bytes. A key file is shorter. */
const BYTES_MAX = 4096;

export const approverKeys: Check = {
  name: 'approver-keys',
  title: "Approvers' keys",
  look(context) {
    const { file } = context.loaded();
    const folders = new Set([context.shell.cwd, ...(file === undefined ? [] : [path.dirname(file)])]);
    const keys = [...folders].flatMap(keysIn);
    if (keys.length === 0) return ok("No approver's key is here or next to the configuration.");
    const open = keys.filter(({ file }) => isOpen(file));
    const files = (some: typeof keys): string => some.map(({ file }) => file).join(', ');
    if (open.length > 0) {
      return warning(
        `Other users of this machine have access to ${files(open)}: they can sign as these approvers.`,
        `${open.map(({ file }) => forMeAlone(file)).join('; ')}; and if others use this machine, make new keys: paybatch approver create`,
      );
    }
    const bare = keys.filter(({ text }) => !isLocked(text));
    if (bare.length === 0) return ok(`${files(keys)}: for nobody else, and under a passphrase.`);
    return warning(
      `Without a passphrase: ${files(bare)}. A copy of such a file is enough to sign.`,
      'Make a key with a passphrase: paybatch approver create NAME --key FILE   Then replace the old one: paybatch approver change',
    );
  },
};

/** Returns the key files of approvers in a folder, under any name. */
function keysIn(folder: string): readonly { readonly file: string; readonly text: string }[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.slice(0, FILES_MAX).flatMap(({ name }) => {
    const file = path.join(folder, name);
    const text = shortTextOf(file);
    return isKeyText(text) ? [{ file, text }] : [];
  });
}

/** Returns the text of a file; an empty one if it is too long for a key file, or if this user cannot read it. */
function shortTextOf(file: string): string {
  try {
    return statSync(file).size > BYTES_MAX ? '' : readFileSync(file, 'utf8');
  } catch (error) {
    systemCode(error);
    return '';
  }
}

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
/** Delay of a payment, in milliseconds, that shows that nothing starts `run-due` every few minutes. */
const LATE_MS = 15 * MS_PER_MINUTE;
/** Longest time between two runs if something starts `run-due` once a day. */
const DAY_MS = 25 * MINUTES_PER_HOUR * MS_PER_MINUTE;

const INSTALL =
  'Have something start it every few minutes (systemd, cron, windows or k8s): paybatch schedule export systemd';

/** Checks that something starts `run-due`, as far as its last run shows, and that what the schedules need is available. */
export const schedules: Check = {
  name: 'schedules',
  title: 'Schedules',
  async look(context) {
    const now = context.shell.clock.now();
    const { usable, unusable } = knownSchedules(new ScheduleFiles(context.folder()), context.loaded(), now);
    const finding = await findingOfUsable(usable, now, context);
    const fault = faultOfUnusable(unusable);
    if (!fault) return finding;
    const { code, message, details, remedy } = fault;
    const messages = [message, ...details, finding.message].join(' ');
    // Three blanks, because a command may be at the end of a remedy.
    const remedies = finding.result === 'ok' ? remedy : `${remedy}   ${finding.remedy}`;
    return problem(code, messages, remedies);
  },
};

async function findingOfUsable(
  usable: readonly ScheduleRecords[],
  now: number,
  context: DoctorContext,
): Promise<Finding> {
  const loaded = context.loaded();
  const places = usable.filter(({ schedule: { pausedSince } }) => pausedSince === undefined);
  const active = places.map(({ schedule }) => schedule);
  if (active.length === 0) return ok('No schedule pays anything by itself.');
  const unapproved = active.find(({ approvals }) => approvals !== undefined);
  if (unapproved && loaded.account && !loaded.profile.approval) {
    return problem(
      'configuration',
      `The schedule ${unapproved.name} pays only approved plans, and the profile names no approvers.`,
      'Name them in approval.approvers of the profile.',
    );
  }
  const { timezone } = loaded.config;
  const finding = findingOf(active, lastTrigger(context.folder())?.at, { now, due: overdue(places), timezone });
  const warnings = [
    ...(await missedPeriods(places, context)),
    ...(finding.result === 'ok' ? [] : [finding]),
    ...addedLater(active, now),
    ...beyondHolidays(places, now),
  ];
  if (warnings.length === 0) return finding;
  const messages = warnings.map(({ message }) => message).join(' ');
  // Three blanks, as above.
  return warning(messages, warnings.map(({ remedy }) => remedy).join('   '));
}

/** Most missed periods whose commands are shown. */
const MISSED_MAX = 3;

/** Returns a warning about periods that were missed, and that nobody has paid since under the name of their batch. */
async function missedPeriods(places: readonly ScheduleRecords[], context: DoctorContext): Promise<readonly Warning[]> {
  const unpaid: string[] = [];
  const commands: string[] = [];
  for (const place of places) {
    const { schedule } = place;
    for (const { record, pay = '' } of missedSince(place)) {
      const ledger = await context.ledger();
      if (await ledger.findBatchCalled(batchNameOf(schedule, record))) continue;
      unpaid.push(`${schedule.name} ${record.period}`);
      commands.push(pay);
    }
  }
  if (unpaid.length === 0) return [];
  const more = unpaid.length - MISSED_MAX;
  const named = [...unpaid.slice(0, MISSED_MAX), ...(more > 0 ? [counted(more, 'more period')] : [])].join(', ');
  return [
    warning(
      `Missed, and not paid under the name of its batch: ${named}.`,
      `If it is still to be paid: ${commands.slice(0, MISSED_MAX).join('   or ')}`,
    ),
  ];
}

/** Returns a warning about schedules that were added by a clock that was ahead: they pay nothing before that time. */
const addedLater = (all: readonly Schedule[], now: number): readonly Warning[] =>
  all
    .filter(({ since }) => since > now)
    .map(({ name, since, timezone }) =>
      warning(
        `The schedule ${name} was added at ${localTime(since, timezone)} (${timezone}), which is still to come: it pays nothing before.`,
        `Set the clock right. If that time was wrong: \`paybatch schedule remove ${name}\`, and add it again.`,
      ),
    );

/**
 * How far ahead, in milliseconds, pay days are checked for holidays that are not known yet: near enough for a person to add
 * them.
 */
const AHEAD_MS = 62 * 24 * MINUTES_PER_HOUR * MS_PER_MINUTE;

/** Returns a warning about the first schedule whose next pay days come after its known holidays end. */
function beyondHolidays(places: readonly ScheduleRecords[], now: number): readonly Warning[] {
  for (const { schedule, timetable } of places) {
    const end = occurrencesBetween(timetable, now, now + AHEAD_MS).find(({ holidaysEnd }) => holidaysEnd);
    if (!end) continue;
    return [
      warning(
        `The holidays of the schedule ${schedule.name} are known to ${end.holidaysEnd}; after that, no holiday moves its pay days.`,
        'Install a newer version of paybatch, or add them: schedule remove, then schedule add … --holidays KE --holidays FILE',
      ),
    ];
  }
  return [];
}

/** Returns the periods whose time has come and that are not over. */
const overdue = (places: readonly ScheduleRecords[]): readonly Due[] =>
  places.flatMap((place) => {
    const recordOf = (period: string) => recordIn(place, period);
    return duePeriods({ ...place, recordOf }).map(({ occurrence: { period, at } }) => ({
      name: `${place.schedule.name} ${period}`,
      at,
    }));
  });

interface Due {
  readonly name: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
}

function findingOf(
  active: readonly Schedule[],
  ranAt: number | undefined,
  { now, due, timezone }: { readonly now: number; readonly due: readonly Due[]; readonly timezone: string },
): Unproblematic {
  const what = `${counted(active.length, 'schedule')} (${active.map(({ name }) => name).join(', ')})`;
  if (ranAt === undefined) return warning(`${what}, and schedule run-due has never run here.`, INSTALL);
  const shown = (ms: number): string => `${localTime(ms, timezone)} (${timezone})`;
  const last = `schedule run-due ran last at ${shown(ranAt)}, ${agoText(now - ranAt)} ago`;
  if (ranAt > now) {
    return warning(
      `schedule run-due ran last at ${shown(ranAt)}, which is still to come: the clock of this computer was ahead then, or is behind now.`,
      'Set the clock right. Periods that were recorded as missed at such a time are paid when they are due: paybatch schedule next',
    );
  }
  const [missed] = due.filter(({ at }) => at > ranAt && now - at > LATE_MS);
  if (missed) return warning(`${missed.name} is due since ${shown(missed.at)}, and ${last}.`, INSTALL);
  if (now - ranAt > DAY_MS) return warning(`${what}: ${last}.`, INSTALL);
  return ok(`${what}: ${last}.`);
}

function agoText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / MS_PER_MINUTE));
  return minutes < 2 * MINUTES_PER_HOUR
    ? counted(minutes, 'minute')
    : counted(Math.round(minutes / MINUTES_PER_HOUR), 'hour');
}
