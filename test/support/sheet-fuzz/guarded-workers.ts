/** Jobs in processes of their own, each watched: one that hangs is killed, one that dies is named, the rest goes on. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface GuardedRun<Job, Answer> {
  /** File that hears `message` with a job and sends one answer back for each. */
  readonly script: string;
  readonly workers: number;
  /** A job without an answer for so long is a hang. */
  readonly limitMs: number;
  /** A fresh process is taken after so many jobs, so that what one leaves behind is not counted against another. */
  readonly jobsEach: number;
  readonly jobs: Iterator<Job>;
  /** `broken` says how a job ended that has no answer. */
  readonly take: (job: Job, answer: Answer | undefined, broken?: string) => void;
}

/** Starting a process and loading its modules takes a second, and on a busy machine a minute. */
const startMs = 300_000;

export async function runGuarded<Job extends object, Answer>(run: GuardedRun<Job, Answer>): Promise<void> {
  await Promise.all(Array.from({ length: run.workers }, () => oneAfterAnother(run)));
}

async function oneAfterAnother<Job extends object, Answer>(run: GuardedRun<Job, Answer>): Promise<void> {
  let child: ChildProcess | undefined;
  let left = 0;
  try {
    for (let next = run.jobs.next(); !next.done; next = run.jobs.next()) {
      if (child === undefined || left === 0) {
        await ended(child);
        child = fork(run.script, { execArgv: ['--no-warnings', '--max-old-space-size=320'], stdio: 'inherit' });
        await answerOf(child, startMs);
        left = run.jobsEach;
      }
      left -= 1;
      child.send(next.value);
      const answer: Answer | string = await answerOf<Answer>(child, run.limitMs);
      if (typeof answer === 'string') {
        run.take(next.value, undefined, answer);
        await ended(child);
        child = undefined;
      } else run.take(next.value, answer);
    }
  } finally {
    await ended(child);
  }
}

/** The next message, or a sentence about how it never came. */
function answerOf<Answer>(child: ChildProcess, limitMs: number): Promise<Answer | string> {
  return new Promise((resolve) => {
    const settle = (answer: Answer | string): void => {
      clearTimeout(timer);
      child.off('message', heard);
      child.off('exit', gone);
      resolve(answer);
    };
    const heard = (message: unknown): void => settle(message as Answer);
    const gone = (code: number | null, signal: string | null): void => settle(`the process died (${signal ?? code})`);
    const timer = setTimeout(() => settle(`no answer for ${limitMs} ms`), limitMs);
    child.on('message', heard);
    child.on('exit', gone);
  });
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
