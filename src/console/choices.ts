/**
 * The answers of a person about a sheet that must not be paid as it is. Each is an option of `paybatch run`, and is asked for
 * when a refusal or a problem of the sheet names that option. A number has to be typed and exactly right; nothing is ticked.
 */

import { Fault } from '../domain/fault.ts';
import { REASON_MAX, reasonOf } from '../domain/given-reason.ts';
import { decimalMarks } from '../domain/number-format.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html, isolated, none } from '../html/html.ts';
import type { CheckRecord } from '../results/check-record.ts';
import type { RunRequest } from '../run/paybatch.ts';
import { issueFix } from '../texts/issue-message.ts';
import { type FormField, formField } from './act-form.ts';
import { addressOf, hiddenFields, type Site } from './frame.ts';
import type { Texts } from './routes.ts';

interface ChoiceEntry {
  readonly option: string;
  /** The question on the page. */
  readonly asks: string;
  readonly takes: 'count' | 'reason' | 'mark' | 'yes';
}

const choiceTable = {
  identical: {
    option: '--allow-identical',
    asks: 'Rows that repeat another row, and are meant: how many?',
    takes: 'count',
  },
  hidden: {
    option: '--include-hidden',
    asks: 'Rows that are hidden or struck through, and are meant: how many?',
    takes: 'count',
  },
  decimals: {
    option: '--decimals',
    asks: 'What stands before the cents in this sheet: point or comma?',
    takes: 'mark',
  },
  fixes: {
    option: '--accept-fixes',
    asks: 'To read values as the repairs that the check proposes, type: yes',
    takes: 'yes',
  },
  skip: {
    option: '--skip-invalid',
    asks: 'Rows with errors that are set aside and not paid: how many?',
    takes: 'count',
  },
  before: {
    option: '--accept-paid-before',
    asks: 'Rows that an earlier batch paid, and are paid once more: how many?',
    takes: 'count',
  },
  duplicate: {
    option: '--allow-duplicate',
    asks: 'Payments of an earlier batch are made once more. Why?',
    takes: 'reason',
  },
  changed: {
    option: '--accept-changed-payees',
    asks: 'Rows that go to another phone or account than the last time: how many?',
    takes: 'count',
  },
  unverifiable: {
    option: '--accept-unverifiable',
    asks: 'Airtime and bills of which nobody can look up whether they were sent before: how many are sent?',
    takes: 'count',
  },
  balance: {
    option: '--up-to-balance',
    asks: 'Rows that are paid now, because the wallet covers no more: how many?',
    takes: 'count',
  },
} as const satisfies Record<string, ChoiceEntry>;

type ChoiceName = keyof typeof choiceTable;
const choiceNames = Object.keys(choiceTable) as readonly ChoiceName[]; // these are the keys of the table itself

/** The answers, as they were typed. */
export type Choices = Readonly<Partial<Record<ChoiceName, string>>>;

/** Reads the answers from a form or an address; an empty field is not an answer. Throws a Fault `usage` for an invalid answer. */
export function choicesIn(texts: Texts): Choices {
  const said: Partial<Record<ChoiceName, string>> = {};
  for (const name of choiceNames) {
    const text = texts[name]?.trim() ?? '';
    if (text === '') continue;
    requireAnswer(name, text);
    said[name] = text;
  }
  return said;
}

function requireAnswer(name: ChoiceName, text: string): void {
  const { takes, option } = choiceTable[name];
  const fits = {
    count: () => /^[1-9]\d{0,8}$/.test(text),
    mark: () => decimalMarks.some((mark) => mark === text),
    yes: () => text === 'yes',
    reason: () => reasonOf(text) !== undefined,
  } as const;
  if (fits[takes]()) return;
  throw new Fault(
    'usage',
    `"${text}" is no answer to ${option}. Nothing was sent.`,
    takes === 'count'
      ? 'Type a whole number, without signs.'
      : takes === 'mark'
        ? 'Type point or comma.'
        : 'Type yes, or leave it empty.',
  );
}

/**
 * The answers as fields of a run request. How many payments cannot be looked up is an option of the session instead
 * (`unverifiableIn`).
 */
export function withChoices(
  said: Choices,
): Omit<Partial<RunRequest>, 'allowIdentical'> & Pick<RunRequest, 'allowIdentical'> {
  const count = (name: ChoiceName): number | undefined => (said[name] === undefined ? undefined : Number(said[name]));
  const hidden = count('hidden');
  const skip = count('skip');
  const before = count('before');
  const changed = count('changed');
  const balance = count('balance');
  const decimals = decimalMarks.find((mark) => mark === said.decimals);
  const reason = reasonOf(said.duplicate);
  return {
    allowIdentical: count('identical') ?? 0,
    ...(hidden !== undefined && { includeHidden: hidden }),
    ...(decimals && { decimals }),
    ...(said.fixes === 'yes' && { acceptFixes: true }),
    ...(skip !== undefined && { skipInvalid: skip }),
    ...(before !== undefined && { acceptPaidBefore: before }),
    ...(reason !== undefined && { allowDuplicate: reason }),
    ...(changed !== undefined && { acceptChangedPayees: changed }),
    ...(balance !== undefined && { upToBalance: balance }),
  };
}

/** How many payments that cannot be looked up may be sent; `undefined` if nobody answered. */
export const unverifiableIn = ({ unverifiable }: Choices): number | undefined =>
  unverifiable === undefined ? undefined : Number(unverifiable);

/** The answers as command-line options, each preceded by a space. */
export const optionsOf = (said: Choices): string =>
  choiceNames
    .flatMap((name) => {
      const text = said[name];
      if (text === undefined) return [];
      const { option, takes } = choiceTable[name];
      return takes === 'yes' ? [` ${option}`] : [` ${option} ${typedPath(text)}`];
    })
    .join('');

/** The questions that a refusal or the problems of the sheet ask. */
export function askedIn({ problems }: Pick<CheckRecord, 'problems'>, fault: Fault | undefined): readonly ChoiceName[] {
  const first = new Map(problems.map((problem) => [problem.code, problem]));
  const texts = [fault?.message, fault?.remedy, ...[...first.values()].map((problem) => issueFix(problem))].join(' ');
  return choiceNames.filter((name) => texts.includes(choiceTable[name].option));
}

/** The field that asks one of these questions. */
export function choiceField(name: ChoiceName, hint: string): FormField {
  const { asks, takes } = choiceTable[name];
  return {
    name,
    label: asks,
    hint,
    most: takes === 'reason' ? REASON_MAX : 12,
    ...(takes === 'count' && { digits: true }),
  };
}

/** The answers that count on a page that pays. */
export function answersList(said: Choices): Html {
  const given = choiceNames.flatMap((name) => {
    const text = said[name];
    const { asks, option } = choiceTable[name];
    return text === undefined ? [] : [html`<li>${asks} ${isolated(text)} <code class="quiet">${option}</code></li>`];
  });
  return given.length === 0
    ? none
    : html`<section><h2>What you have answered</h2><ul class="choices">${given}</ul></section>`;
}

/** What the form with questions is about. */
interface Questions {
  readonly said: Choices;
  readonly asked: readonly ChoiceName[];
  /** Name of the batch, which is asked for in any case: under another name it is another batch. */
  readonly batch: string;
  /** Names the sheet. */
  readonly sheet: Readonly<Record<string, string>>;
}

/**
 * The form with these questions; the page is made again with the answers. No page with this form pays, because what is typed here
 * would not count for the button that does.
 */
export function questionsForm(site: Site, { said, asked, batch, sheet }: Questions): Html {
  const names = choiceNames.filter((name) => asked.includes(name) || said[name] !== undefined);
  const fields: readonly FormField[] = [
    ...names.map((name) => ({
      ...choiceField(name, `\`${choiceTable[name].option}\``),
      value: said[name] ?? '',
      optional: true as const,
    })),
    { name: 'batch', label: 'Name of the batch, under which it is paid once', value: batch },
  ];
  const says =
    names.length > 0 &&
    html`<p class="quiet">Nothing is paid by it. Answer only what you have looked at; leave the rest empty and correct the sheet.</p>`;
  return html`<form method="get" action="${addressOf(site, 'statement')}">${hiddenFields(sheet)}<fieldset><legend>What you decide</legend>
${says}${fields.map((field) => formField('say', field))}
<p class="actions"><button>Show the statement</button></p></fieldset></form>`;
}
