/** The table of all commands, in the order in which help shows them. Adding one is one file and one line here. */
import type { CliCommand } from './command.ts';
import { api } from './commands/api.ts';
import { apply } from './commands/apply.ts';
import { approve } from './commands/approve.ts';
import { approver } from './commands/approver.ts';
import { balance } from './commands/balance.ts';
import { charges } from './commands/charges.ts';
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
import { status } from './commands/status.ts';
import { template } from './commands/template.ts';
import { validate } from './commands/validate.ts';
import { verify } from './commands/verify.ts';
import { verifyPayees } from './commands/verify-payees.ts';
import { whoami } from './commands/whoami.ts';

export const commands: readonly CliCommand[] = [
  template,
  map,
  validate,
  verifyPayees,
  run,
  plan,
  approve,
  apply,
  decline,
  resume,
  status,
  resolve,
  retry,
  reject,
  report,
  find,
  history,
  verify,
  purge,
  schedule,
  notify,
  balance,
  charges,
  api,
  listen,
  init,
  login,
  logout,
  whoami,
  config,
  approver,
  ledger,
  doctor,
  drill,
  sandbox,
  help,
];
