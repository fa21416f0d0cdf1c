/** A line for cron. */
import { type Calling, EVERY_MINUTES, type Exported, nameOf } from './calling.ts';

/** In single quotes for the shell; a percent sign would end the line for cron (crontab(5)). */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`.replaceAll('%', '\\%');

export function cron(calling: Calling): Exported {
  const { argv, env, folder, profile } = calling;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${word(value)}`);
  const line = `*/${EVERY_MINUTES} * * * * cd ${word(folder)} && ${[...variables, ...argv.map(word)].join(' ')} --no-color`;
  const name = `${nameOf(calling)}.crontab`;
  return {
    files: [{ name, content: `# paybatch: pay what is due (profile ${profile}). cron mails what it says.\n${line}\n` }],
    todo: [`Add the line to the crontab of the user who pays: crontab -l | cat - ${name} | crontab -`],
  };
}
