/** The table of all commands, in the groups in which help shows them. Adding one is one file and one line here. */
import type { CliCommand } from './command.ts';
import { api } from './commands/api.ts';
import { apply } from './commands/apply.ts';
import { approve } from './commands/approve.ts';
import { approver } from './commands/approver.ts';
import { balance } from './commands/balance.ts';
import { charges } from './commands/charges.ts';
import { completion } from './commands/completion.ts';
import { config } from './commands/config.ts';
import { decline } from './commands/decline.ts';
import { doctor } from './commands/doctor.ts';
import { drill } from './commands/drill.ts';
import { find } from './commands/find.ts';
import { help } from './commands/help.ts';
import { history } from './commands/history.ts';
import { init } from './commands/init.ts';
import { ledger } from './commands/ledger.ts';
import { listen } from './commands/listen.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { map } from './commands/map.ts';
import { notify } from './commands/notify.ts';
import { plan } from './commands/plan.ts';
import { purge } from './commands/purge.ts';
import { reject } from './commands/reject.ts';
import { report } from './commands/report.ts';
import { resolve } from './commands/resolve.ts';
import { resume } from './commands/resume.ts';
import { retry } from './commands/retry.ts';
import { run } from './commands/run.ts';
import { sandbox } from './commands/sandbox.ts';
import { schedule } from './commands/schedule.ts';
import { schema } from './commands/schema.ts';
import { status } from './commands/status.ts';
import { template } from './commands/template.ts';
import { validate } from './commands/validate.ts';
import { verify } from './commands/verify.ts';
import { verifyPayees } from './commands/verify-payees.ts';
import { whoami } from './commands/whoami.ts';

interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CliCommand[];
}

/** The commands as somebody meets them who uses paybatch for the first time. */
export const commandGroups: readonly CommandGroup[] = [
  { title: 'Prepare a sheet:', commands: [template, map, validate, verifyPayees] },
  { title: 'Pay it:', commands: [run, plan, approve, apply, decline, schedule] },
  { title: 'See what became of it:', commands: [status, report, find, history, verify] },
  { title: 'Go on:', commands: [resume, retry, resolve, reject] },
  { title: 'Ask the service:', commands: [balance, charges, api, listen] },
  {
    title: 'Set up:',
    commands: [init, login, logout, whoami, config, approver, notify, ledger, purge, doctor, completion, schema],
  },
  { title: 'Practise, and learn more:', commands: [drill, sandbox, help] },
];

export const commands: readonly CliCommand[] = commandGroups.flatMap((group) => group.commands);
