/** Who holds an account, as the practice service sees it. The rule is told in `magic.ts`. */
import { ruledHolderOf } from '../magic-endings.ts';

/** Letters and digits: `+254 712 000 777` and `254712000777` are one account. */
const accountKey = (account: string): string => account.replace(/[^0-9A-Za-z]/g, '').toUpperCase();

/** Names by account. */
export class Holders {
  readonly #said = new Map<string, string>();
  readonly #recipients = new Map<string, string>();

  /** Says whose an account is, from now on. */
  hold(account: string, name: string): void {
    this.#said.set(accountKey(account), name);
  }

  /** An order names the recipient of an account; the latest one counts. Accounts are kept as written: this is hot. */
  named(account: string, name: string): void {
    this.#recipients.set(account, name);
  }

  /** The holder that was said, or else the recipient that an order named, or else the one of the rule. */
  nameOf(account: string): string {
    const key = accountKey(account);
    const named = this.#recipients.get(account) ?? this.#recipients.get(key) ?? this.#recipients.get(`+${key}`);
    return this.#said.get(key) ?? ruledHolderOf(account, named);
  }
}
