/** Statements for SQLite that are planned when they are prepared, and never again. */

/** A text in a statement, or the place of a value. */
const TEXT_OR_VALUE = /'[^']*'|[?]/g;

/**
 * The statement with a plus before each value, which changes none. SQLite plans a statement with `LIMIT ?`, with a join or with `MIN`
 * anew whenever a bare `?` is bound, because of statistics that the ledger has not; that took ten times as long as the statement.
 */
export const plannedOnce = (sql: string): string =>
  sql.replace(TEXT_OR_VALUE, (found) => (found === '?' ? '+?' : found));
