/**
 * The answers of a person about a sheet that must not be paid as it is. Each is an option of `paybatch run`, and is asked for
 * when a refusal or a problem of the sheet names that option. A number has to be typed and exactly right; nothing is ticked.
 */

import { Fault } from '../domain/fault.ts';
import { GIVEN_TEXT_MAX, givenText } from '../domain/given-text.ts';
import { decimalMarks } from '../domain/number-format.ts';
import { typedPath } from '../domain/typed-path.ts';
import { type Html, html, isolated, none } from '../html/html.ts';
import type { CheckRecord } from '../results/check-record.ts';
import type { RunRequest } from '../run/paybatch.ts';
import { issueFix } from '../texts/issue-message.ts';
import { type FormField, formField } from './act-form.ts';
import { addressOf, hiddenFields, type Site } from './frame.ts';
import type { Texts } from './routes.ts';

/** How an answer is read: `undefined` if it is none, with the advice that is given then. */
const readings = {
  count: {
    of: (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
    advice: 'Type a whole number, without signs.',
  },
  mark: { of: (text: string) => decimalMarks.find((mark) => mark === text), advice: 'Type point or comma.' },
  yes: { of: (text: string) => (text === 'yes' ? true : undefined), advice: 'Type yes, or leave it empty.' },
  reason: { of: (text: string) => givenText('The reason', text), advice: 'Say why, in words.' },
} as const;

interface ChoiceEntry {
  readonly option: string;
  /** The field of a run request; absent for an option of the session. */
  readonly field?: keyof RunRequest;
  /** The question on the page. */
  readonly asks: string;
  readonly takes: keyof typeof readings;
}

const choiceTable = {
  identical: {
    option: '--allow-identical',
    field: 'allowIdentical',
    asks: 'How many rows repeat another row on purpose?',
    takes: 'count',
  },
  hidden: {
    option: '--include-hidden',
    field: 'includeHidden',
    asks: 'How many rows that are hidden or struck through are to be paid?',
    takes: 'count',
  },
  decimals: {
    option: '--decimals',
    field: 'decimals',
    asks: 'Does this sheet write cents after a point or after a comma?',
    takes: 'mark',
  },
  fixes: {
    option: '--accept-fixes',
    field: 'acceptFixes',
    asks: 'To accept the repairs that the check proposes, type: yes',
    takes: 'yes',
  },
  skip: {
    option: '--skip-invalid',
    field: 'skipInvalid',
    asks: 'How many rows with errors are set aside and not paid?',
    takes: 'count',
  },
  before: {
    option: '--accept-paid-before',
    field: 'acceptPaidBefore',
    asks: 'How many rows that an earlier batch paid are paid again?',
    takes: 'count',
  },
  duplicate: {
    option: '--allow-duplicate',
    field: 'allowDuplicate',
    asks: 'Why are payments of an earlier batch made again?',
    takes: 'reason',
  },
  changed: {
    option: '--accept-changed-payees',
    field: 'acceptChangedPayees',
    asks: 'How many rows go to another phone or account than last time?',
    takes: 'count',
  },
  unverifiable: {
    option: '--accept-unverifiable',
    asks: 'How many airtime and bill payments are sent, although nobody can look up whether they were sent before?',
    takes: 'count',
  },
  balance: {
    option: '--up-to-balance',
    field: 'upToBalance',
    asks: 'How many rows are paid now, because the wallet covers no more?',
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
    const { option, takes } = choiceTable[name];
    const { of, advice } = readings[takes];
    if (of(text) === undefined)
      throw new Fault('usage', `"${text}" is not an answer to ${option}. Nothing was sent.`, advice);
    said[name] = text;
  }
  return said;
}

/**
 * The answers as fields of a run request. How many payments cannot be looked up is an option of the session instead
 * (`unverifiableIn`).
 */
export function withChoices(said: Choices): Partial<RunRequest> & Pick<RunRequest, 'allowIdentical'> {
  const fields = choiceNames.flatMap((name) => {
    const { field, takes }: ChoiceEntry = choiceTable[name];
    const text = said[name];
    return field === undefined || text === undefined ? [] : [[field, readings[takes].of(text)] as const];
  });
  return { allowIdentical: 0, ...Object.fromEntries(fields) };
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
    most: takes === 'reason' ? GIVEN_TEXT_MAX : 12,
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
  return given.length === 0 ? none : html`<section><h2>Your answers</h2><ul class="choices">${given}</ul></section>`;
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
    { name: 'batch', label: 'Batch name; each name is paid only once', value: batch },
  ];
  const says =
    names.length > 0 &&
    html`<p class="quiet">This form pays nothing. Answer only what you have checked; leave the rest empty, and correct the sheet.</p>`;
  return html`<form method="get" action="${addressOf(site, 'statement')}">${hiddenFields(sheet)}<fieldset><legend>Your decisions</legend>
${says}${fields.map((field) => formField('say', field))}
<p class="actions"><button>Show the statement</button></p></fieldset></form>`;
}
