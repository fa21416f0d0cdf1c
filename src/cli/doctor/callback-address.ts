/** Callbacks: whether those orders that are followed by them can be told what became of them. */
import { existsSync } from 'node:fs';
import { openInbox } from '../../callbacks/inbox.ts';
import { inboxFile } from '../../callbacks/open-callbacks.ts';
import { type Currency, currencyOf } from '../../domain/currency.ts';
import { Fault } from '../../domain/fault.ts';
import { invariant } from '../../domain/invariant.ts';
import type { SubmissionName } from '../../domain/submission.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind, RowView } from '../../kinds/kind.ts';
import { submissions } from '../../submissions/index.ts';
import { type Check, type Finding, ok, problem, warning } from './check.ts';

export const callbacks: Check = {
  name: 'callbacks',
  title: 'Callbacks',
  async look({ settings, folder, loaded }) {
    const asking = kinds.flatMap((kind) =>
      settings.routes[kind.name] && submissions[submissionOf(kind)].namesCallback ? [kind.name] : [],
    );
    const { callbackUrl } = settings;
    if (asking.length > 0 && callbackUrl === undefined) {
      return problem(
        'configuration',
        `Orders of ${asking.join(', ')} must name an address for callbacks, and none is configured.`,
        'Set callbacks.url of the profile to an https address that the service can reach, and run paybatch listen there.',
      );
    }
    const file = inboxFile(folder);
    if (existsSync(file)) return inboxFinding(file, asking);
    if (!loaded.account) return ok('The practice service needs none: it answers look-ups.');
    if (callbackUrl === undefined) return ok('None is needed: payment orders are looked up.');
    return warning(
      `${new URL(callbackUrl).origin} is configured, and nothing has ever been received here.`,
      'Run `paybatch listen` on the machine that the address leads to, with this state folder.',
    );
  },
};

async function inboxFinding(file: string, asking: readonly string[]): Promise<Finding> {
  try {
    const inbox = await openInbox(file);
    try {
      await inbox.since(0, 1);
    } finally {
      await inbox.close();
    }
    return ok('Those that were received can be read.');
  } catch (error) {
    if (!(error instanceof Fault) || asking.length > 0) throw error;
    return warning(error.message, `Payment orders are looked up all the same. ${error.remedy}`);
  }
}

/** The country whose rows the examples of the kinds are. */
const EXAMPLE_COUNTRY = 'KE';

/** How a kind is submitted, as its own first good example shows it: kinds tell it row by row. */
export function submissionOf(kind: Kind): SubmissionName {
  const [example] = kind.examples.good;
  const view: RowView = (column) => {
    const text = example?.cells[column];
    const place = { row: 1, address: 'A1', heading: column };
    return text === undefined ? place : { ...place, cell: { column: 1, address: 'A1', type: 'text', text } };
  };
  const remitter = {
    name: 'a',
    phoneNumber: '+254700000000',
    country: 'KE',
    sourceOfFunds: 'a',
    principalActivity: 'a',
  };
  const context = { country: EXAMPLE_COUNTRY, currency: exampleCurrency(), purpose: 'a', remitter };
  const { payable } = kind.read(view, context);
  invariant(payable?.draft, 'the good examples of a kind can be paid');
  return payable.draft.submission;
}

function exampleCurrency(): Currency {
  const currency = currencyOf('KES');
  invariant(currency, 'KES is a currency');
  return currency;
}
