/**
 * The table of all commands, in the groups in which help shows them. A new command is one file and one entry here. Loading a
 * command loads a good part of the program, so it happens only if its name was typed.
 */
import type { CliCommand, NamedCommand } from './command.ts';

/** A command as help lists it, and how to load the rest of it. */
interface ListedCommand {
  readonly summary: string;
  load(): Promise<CliCommand>;
}

/** The commands by group and name, in the order in which a new user of paybatch meets them. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, ListedCommand>>>> = {
  'Prepare a sheet:': {
    template: {
      summary:
        'write a payout sheet to fill in, with instructions, examples and drop-downs; or one with the people of a batch',
      load: async () => (await import('./commands/template.ts')).template,
    },
    map: {
      summary: 'say once what the headings of a sheet mean',
      load: async () => (await import('./commands/map.ts')).map,
    },
    validate: {
      summary: 'check every row of a sheet; asks no service and sends nothing',
      load: async () => (await import('./commands/validate.ts')).validate,
    },
    'verify-payees': {
      summary:
        'ask the service who holds the accounts of a sheet, and compare with the names in the sheet; sends no money',
      load: async () => (await import('./commands/verify-payees.ts')).verifyPayees,
    },
  },
  'Pay it:': {
    run: {
      summary: 'check a sheet, show what it costs, pay it once, write the results workbook',
      load: async () => (await import('./commands/run.ts')).run,
    },
    plan: {
      summary: 'write what a run would pay into one file, for others to approve; sends nothing',
      load: async () => (await import('./commands/plan.ts')).plan,
    },
    approve: {
      summary: 'look at a plan, and sign that it may be paid; needs no account, sends nothing',
      load: async () => (await import('./commands/approve.ts')).approve,
    },
    apply: {
      summary: 'pay a plan that was approved, exactly and once; asks nothing',
      load: async () => (await import('./commands/apply.ts')).apply,
    },
    decline: {
      summary: 'sign that a plan must not be paid; `apply` refuses it then; sends nothing',
      load: async () => (await import('./commands/decline.ts')).decline,
    },
    schedule: {
      summary: 'pay a sheet on its day, every month or week, once',
      load: async () => (await import('./commands/schedule.ts')).schedule,
    },
    worker: {
      summary: 'send the batches of a shared ledger, on any number of machines, until it is stopped',
      load: async () => (await import('./commands/worker.ts')).worker,
    },
  },
  'See what became of it:': {
    status: {
      summary: 'ask the service about what is not final, and show what became of a batch; sends nothing',
      load: async () => (await import('./commands/status.ts')).status,
    },
    report: {
      summary: 'write the results of a batch again, using only the ledger',
      load: async () => (await import('./commands/report.ts')).report,
    },
    find: {
      summary: 'find payments in all batches by name, phone, account, receipt, order id or reference',
      load: async () => (await import('./commands/find.ts')).find,
    },
    history: {
      summary: 'what was paid: the batches of the ledger, the latest first',
      load: async () => (await import('./commands/history.ts')).history,
    },
    verify: {
      summary: 'prove the ledger and a results workbook, or an evidence pack: replay facts, check their chain, compare',
      load: async () => (await import('./commands/verify.ts')).verify,
    },
  },
  'In a browser:': {
    console: {
      summary: 'a page on this computer: check a sheet, see what it costs, pay it, find what was paid',
      load: async () => (await import('./commands/console.ts')).consoleCommand,
    },
  },
  'Continue a batch:': {
    resume: {
      summary: 'continue a batch that was stopped: send what was not sent, find out what is not known',
      load: async () => (await import('./commands/resume.ts')).resume,
    },
    stop: {
      summary: 'stop sending a batch, on every machine, until someone resumes it',
      load: async () => (await import('./commands/stop.ts')).stop,
    },
    retry: {
      summary: 'pay rows again that were rejected or refused, or that failed, under new order ids',
      load: async () => (await import('./commands/retry.ts')).retry,
    },
    resolve: {
      summary: 'record what a person found out about a row that the service leaves open; sends nothing',
      load: async () => (await import('./commands/resolve.ts')).resolve,
    },
    reject: {
      summary: 'ask the service to stop orders that were sent and are not final, and look up what became of them',
      load: async () => (await import('./commands/reject.ts')).reject,
    },
  },
  'Ask the service:': {
    balance: {
      summary: 'what the wallet holds now',
      load: async () => (await import('./commands/balance.ts')).balance,
    },
    charges: {
      summary: 'what the service charges: the whole scale, or for one amount',
      load: async () => (await import('./commands/charges.ts')).charges,
    },
    routes: {
      summary: 'the routes of the account: what each pays or could pay, and its ids for the configuration',
      load: async () => (await import('./commands/routes.ts')).routes,
    },
    api: {
      summary: 'one operation of the service by its name; --list shows all, --describe what one takes',
      load: async () => (await import('./api/api.ts')).api,
    },
    listen: {
      summary: 'receive callbacks from the service; a run immediately looks up the payments that they are about',
      load: async () => (await import('./commands/listen.ts')).listen,
    },
  },
  'Set up:': {
    init: {
      summary:
        'set up an account: asks for it, finds its routes, writes configuration and secret, and checks all of it',
      load: async () => (await import('./setup/init.ts')).init,
    },
    login: {
      summary: 'keep a new client secret of the profile, once the service has given a token for it',
      load: async () => (await import('./setup/login.ts')).login,
    },
    logout: {
      summary: 'remove the kept client secret of the profile; its settings and its ledger stay',
      load: async () => (await import('./setup/login.ts')).logout,
    },
    whoami: {
      summary:
        'the account that would pay: profile, service, client id, where its secret comes from, and whether it gets a token',
      load: async () => (await import('./commands/whoami.ts')).whoami,
    },
    config: {
      summary: 'show the settings in effect and where they come from, find mistakes in them, and trust files',
      load: async () => (await import('./commands/config.ts')).config,
    },
    approver: {
      summary: 'the people who approve plans',
      load: async () => (await import('./commands/approver.ts')).approver,
    },
    notify: {
      summary: 'who is notified about unattended payments',
      load: async () => (await import('./commands/notify.ts')).notify,
    },
    ledger: {
      summary: 'maintain the ledger: back up, restore, move, check',
      load: async () => (await import('./commands/ledger.ts')).ledger,
    },
    purge: {
      summary: 'delete names, phones and accounts of old batches that are finished; amounts, ids and outcomes stay',
      load: async () => (await import('./commands/purge.ts')).purge,
    },
    doctor: {
      summary:
        'check everything that a pay day needs: this machine, its ledger, the account and the service; sends nothing',
      load: async () => (await import('./doctor/doctor.ts')).doctor,
    },
    completion: {
      summary: 'a script that completes commands and options in your shell',
      load: async () => (await import('./help/completion.ts')).completion,
    },
    schema: {
      summary: 'the JSON Schema of settings, events or rows',
      load: async () => (await import('./commands/schema.ts')).schema,
    },
  },
  'Practise, and learn more:': {
    drill: {
      summary:
        'rehearse the worst pay day: run the sheet under faults, kill it again and again, and count every payment',
      load: async () => (await import('./drill/drill.ts')).drill,
    },
    sandbox: {
      summary: 'run the practice service on its own, for other programs',
      load: async () => (await import('./commands/sandbox.ts')).sandbox,
    },
    help: {
      summary: 'explain a command, an exit code, an outcome or a problem; or show a page of the documentation',
      load: async () => (await import('./help/help.ts')).help,
    },
  },
};

/** The commands that a pay day needs, from an empty sheet to the last row: shown to anyone who types only the name of the program. */
export const payDayCommands: ReadonlySet<string> = new Set([
  'template',
  'validate',
  'run',
  'status',
  'report',
  'resume',
  'retry',
  'resolve',
]);

const listed = Object.values(commandGroups).flatMap((commands) => Object.entries(commands));

/** Loads all commands, with their subcommands. */
export const allCommands = (): Promise<readonly NamedCommand[]> =>
  Promise.all(listed.map(async ([name, { summary, load }]) => ({ name, summary, ...(await load()) })));
