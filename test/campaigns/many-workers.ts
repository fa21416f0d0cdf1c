/**
 * Many workers, and everything dies: `node test/campaigns/many-workers.ts --workers 8 --orders 50000 --batches 8 --seed 1`. Once each
 * worker is at work on a batch, every `--kill-ms` a random one is killed and started again at once; every `--crash-ms` the server of
 * the ledger is restarted as after a crash. After `--minutes` of it nothing is killed any more, and the workers have `--calm` minutes
 * to end what is left. `--peace-s 60`: before that they work in peace, and the rate under fire is told as a share of that, and of the calm after it: there,
 * as under fire, every batch is a resumed one, whose orders are each looked up before they leave. `--pause-s 40`: one worker is
 * stopped (SIGSTOP) for so long. `--timeout-ms`: how long an answer is waited for, so that `--scenario slow=…` may be longer than
 * half a second; `--concurrency`: requests of all workers together. All that is waited for is a twentieth of what it is documented to be.
 *
 * Each worker is a machine of its own (`--one-machine`: all are one). The books of the practice service, which is a process of its own, must hold every payout once. Prints the figures, and ends with 1 at any
 * violation. `--json FILE` keeps them.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { underFire } from '../support/desk/under-fire.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '8' },
    'batches-each': { type: 'string', default: '1' },
    batches: { type: 'string', default: '8' },
    orders: { type: 'string', default: '50000' },
    'kill-ms': { type: 'string', default: '2000' },
    'crash-ms': { type: 'string', default: '5000' },
    'peace-s': { type: 'string', default: '0' },
    'pause-s': { type: 'string', default: '0' },
    'one-machine': { type: 'boolean', default: false },
    scenario: { type: 'string', default: 'slow=20,settle-min=50,settle-max=500' },
    'timeout-ms': { type: 'string', default: '500' },
    concurrency: { type: 'string', default: '16' },
    minutes: { type: 'string', default: '30' },
    calm: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const options = {
  workers: Number(values.workers),
  batchesEach: Number(values['batches-each']),
  batches: Number(values.batches),
  orders: Number(values.orders),
  killMs: Number(values['kill-ms']),
  crashMs: Number(values['crash-ms']),
  peaceMs: Number(values['peace-s']) * 1000,
  pauseMs: Number(values['pause-s']) * 1000,
  isOneMachine: values['one-machine'],
  scenario: `${values.scenario},seed=${values.seed}`,
  sending: { requestTimeoutMs: Number(values['timeout-ms']), concurrency: Number(values.concurrency) },
  seed: values.seed,
  longestMs: Number(values.minutes) * 60_000,
  calmMs: Number(values.calm) * 60_000,
};
const machine = `${cpus()[0]?.model} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}`;
say(`${machine}; ${JSON.stringify(options)}`);
// The workers are the built program, which must be today's.
execFileSync(process.execPath, ['test/support/programs/build.ts'], { stdio: 'inherit' });
const record = await underFire({ ...options, say });
const { judgement, longestStill, violations, left, fire, calm, settled, firstFinal } = record;
say(`${record.kills} kills of workers, ${record.crashes} crashes of PostgreSQL, ${record.seconds.toFixed(0)} s`);
say(
  `${record.final} of ${options.batches} batches final, ${(options.orders / record.seconds).toFixed(0)} orders a second`,
);
say(
  `orders open: ${fire.open} when killing began (${fire.atSeconds.toFixed(0)} s), ${calm.open} when it ended (${calm.atSeconds.toFixed(0)} s)`,
);
const rateOf = (from: typeof fire, to: typeof fire): number => (from.open - to.open) / (to.atSeconds - from.atSeconds);
const [inPeace, underIt, after] = [rateOf(record.peace, fire), rateOf(fire, calm), rateOf(settled, firstFinal)];
if (options.peaceMs > 0)
  say(
    `orders a second: ${inPeace.toFixed(0)} in peace, ${underIt.toFixed(0)} under fire, which is ${((100 * underIt) / inPeace).toFixed(0)} %; ${after.toFixed(0)} in the calm after it, of which it is ${((100 * underIt) / after).toFixed(0)} %`,
  );
if (record.paused)
  say(`${record.paused.worker} was stopped and went on; it had begun ${record.paused.batches.join(', ')}`);
const still = Object.entries(longestStill).toSorted(([, one], [, other]) => other - one);
say(
  `batches stood still at most for: ${still.map(([batch, seconds]) => `${batch} ${seconds.toFixed(0)} s`).join(', ')}`,
);
say(
  `a worker was ready after ${record.toReady.toFixed(1)} s, and at work on a batch ${record.toBegun.toFixed(1)} s later (medians)`,
);
say(`work on batches began, by worker and batch: ${JSON.stringify(record.begun)}`);
say(`workers ended by themselves: ${JSON.stringify(record.exits)}`);
say(`requests at the service: ${JSON.stringify(record.requests)}`);
say(
  `payouts ${judgement.payouts}, once ${judgement.once}, twice ${judgement.twice}, lost ${judgement.lost}, falsely paid ${judgement.falsePaid}, falsely unpaid ${judgement.falseUnpaid}, open ${judgement.openAtEnd}`,
);
for (const line of left.slice(0, 20)) say(`LEFT ${line}`);
for (const violation of violations.slice(0, 40)) say(`VIOLATION ${violation}`);
say(violations.length === 0 ? 'No violation.' : `${violations.length} violations.`);
if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ machine, options, ...record }, null, 2)}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
