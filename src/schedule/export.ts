import path from 'node:path';
import { typedPath } from '../domain/typed-path.ts';

/** The command that runs `schedule run-due`, from which each system's own files are written. */
export interface Calling {
  /** Program and arguments, including `run-due` and its flags. */
  readonly argv: readonly string[];
  /** Environment variables that the command needs. Contains no secret. */
  readonly env: Readonly<Record<string, string>>;
  readonly profile: string;
  /** The system user who runs the command. */
  readonly user: string;
  /** The working directory. Relative paths in the configuration start from here. */
  readonly folder: string;
  /** The folder that the files are written to. */
  readonly out: string;
  readonly version: string;
}

/** A file that a person puts where the system looks for it. */
interface ExportedFile {
  readonly name: string;
  readonly content: string;
  /** Encoding of the file; UTF-8 if absent. Windows reads its tasks as UTF-16. */
  readonly encoding?: 'utf16le';
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  /** Instructions for the files, one a line. */
  readonly todo: readonly string[];
}

/** How often `run-due` starts: often enough that a payment is at most minutes late, and rarely enough to cost nothing. */
const EVERY_MINUTES = 5;

const nameOf = ({ profile }: Pick<Calling, 'profile'>): string =>
  `paybatch-${profile.toLowerCase().replaceAll('_', '-')}`;

/** Quotes a text for the shell. Percent signs are escaped, because cron ends the line at one (crontab(5)). */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`.replaceAll('%', '\\%');

/** Returns the line for cron, which mails every output: a start at which nothing is due must print nothing. */
export function cron(calling: Calling): Exported {
  const { argv, env, folder, profile } = calling;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const line = `*/${EVERY_MINUTES} * * * * cd ${shellWord(folder)} && ${[...variables, ...argv.map(shellWord)].join(' ')} --no-color --quiet`;
  const name = `${nameOf(calling)}.crontab`;
  return {
    files: [{ name, content: `# paybatch: pay what is due (profile ${profile}). cron mails its output.\n${line}\n` }],
    todo: [
      `Add the line to the crontab of the user who pays: crontab -l | cat - ${typedPath(path.join(calling.out, name))} | crontab -`,
    ],
  };
}

/**
 * Quotes a word of a command line, and doubles the characters that systemd would replace (systemd.service(5), "Command
 * lines"; systemd.unit(5), "Specifiers").
 */
const unitWord = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('$', () => '$$')}"`;

/** Returns an `Environment=` line. In such a line systemd replaces specifiers, but no variables. */
const assignment = ([name, value]: readonly [string, string]): string =>
  `Environment="${name}=${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** Returns a service and its timer for systemd. */
export function systemd(calling: Calling): Exported {
  const name = nameOf(calling);
  const service = `[Unit]
Description=paybatch: pay what is due (profile ${calling.profile})
Wants=network-online.target
After=network-online.target

[Service]
Type=oneshot
User=${calling.user}
WorkingDirectory=${calling.folder.replaceAll('%', '%%')}
${Object.entries(calling.env).map(assignment).join('\n')}
ExecStart=${calling.argv.map(unitWord).join(' ')}
# A large batch takes hours. When asked to stop, paybatch first waits for the requests in flight.
TimeoutStartSec=infinity
TimeoutStopSec=15min
KillMode=mixed
UMask=0077
NoNewPrivileges=true
PrivateTmp=true
`;
  const timer = `[Unit]
Description=paybatch: look every ${EVERY_MINUTES} minutes for what is due (profile ${calling.profile})

[Timer]
OnCalendar=*:0/${EVERY_MINUTES}
AccuracySec=1s
Persistent=true

[Install]
WantedBy=timers.target
`;
  return {
    files: [
      { name: `${name}.service`, content: service },
      { name: `${name}.timer`, content: timer },
    ],
    todo: [
      `As root: cp ${['service', 'timer'].map((kind) => typedPath(path.join(calling.out, `${name}.${kind}`))).join(' ')} /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now ${name}.timer`,
      `To see the results: journalctl -u ${name}`,
    ],
  };
}

/** Where the pod mounts the volume. */
const MOUNT = '/var/lib/paybatch';

/** Variables of a pod that have values of its own. All others are those of the command that exported. */
const OWN_OF_POD: ReadonlySet<string> = new Set([
  'PAYBATCH_HOME',
  'PAYBATCH_KEYS',
  'PAYBATCH_CONFIG',
  'PAYBATCH_MACHINE',
]);

const quoted = (text: string): string => JSON.stringify(text);

/** Returns a CronJob for Kubernetes, with a volume for the state folder. Texts are quoted as JSON, which is valid YAML. */
export function k8s(calling: Calling): Exported {
  const { profile, version, env } = calling;
  const name = nameOf(calling);
  const args = ['schedule', 'run-due', '--profile', profile];
  const others = Object.entries(env).filter(([variable]) => !OWN_OF_POD.has(variable));
  const variables = others.map(
    ([variable, value]) => `\n                - { name: ${variable}, value: ${quoted(value)} }`,
  );
  const content = `# paybatch: pay what is due (profile ${profile}). One pod at a time, on one volume: the ledger is a file.
apiVersion: batch/v1
kind: CronJob
metadata:
  name: ${name}
spec:
  schedule: "*/${EVERY_MINUTES} * * * *"
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 200
  failedJobsHistoryLimit: 5
  jobTemplate:
    spec:
      backoffLimit: 0
      template:
        spec:
          restartPolicy: Never
          # When asked to stop, paybatch first waits for the requests in flight.
          terminationGracePeriodSeconds: 900
          securityContext:
            runAsNonRoot: true
            runAsUser: 1000
            fsGroup: 1000
            fsGroupChangePolicy: OnRootMismatch
          containers:
            - name: paybatch
              image: ${quoted(`registry.example/paybatch:${version}`)} # yours, with paybatch installed
              command: ["paybatch"]
              args: [${args.map(quoted).join(', ')}]
              workingDir: ${MOUNT}/sheets
              env:
                - { name: PAYBATCH_HOME, value: ${MOUNT}/state }
                - { name: PAYBATCH_KEYS, value: ${MOUNT}/keys }
                - { name: PAYBATCH_CONFIG, value: /etc/paybatch/paybatch.config.json }
                - { name: PAYBATCH_MACHINE, value: ${name} }${variables.join('')}
              volumeMounts:
                - { name: state, mountPath: ${MOUNT} }
                - { name: config, mountPath: /etc/paybatch, readOnly: true }
          volumes:
            - name: state
              persistentVolumeClaim: { claimName: ${name} }
            - name: config
              secret: { secretName: ${name}, defaultMode: 0440 }
`;
  return {
    files: [{ name: `${name}.cronjob.yaml`, content }],
    todo: [
      `Make the volume claim ${name} (ReadWriteOncePod, a block device) and the secret ${name} with paybatch.config.json and the files that it names. In \`env\`, change paths to those in the pod.`,
      'Add the schedules in a pod with the same volume. Name your image. Not tried on a cluster: kubectl apply --dry-run=server first.',
    ],
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Quotes an argument the way Windows programs parse it: in quotes, with the backslashes before a quote doubled. */
const argument = (text: string): string =>
  `"${text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => `${slashes}${slashes}${quote && `\\${quote}`}`)}"`;

/** Returns the arguments of cmd.exe, which sets the environment: a Windows task has none of its own. */
function commandLine({ argv, env }: Calling): string {
  const sets = Object.entries(env).map(([name, value]) => `set "${name}=${value}"`);
  return `/d /s /c "${[...sets, argv.map(argument).join(' ')].join(' && ')}"`;
}

/** Returns a task for the Windows Task Scheduler. */
export function windows(calling: Calling): Exported {
  const name = nameOf(calling);
  const content = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>paybatch: pay what is due (profile ${escaped(calling.profile)})</Description>
  </RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
      <Repetition>
        <Interval>PT${EVERY_MINUTES}M</Interval>
      </Repetition>
    </TimeTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
  </Settings>
  <Actions>
    <Exec>
      <Command>%SystemRoot%\\System32\\cmd.exe</Command>
      <Arguments>${escaped(commandLine(calling))}</Arguments>
      <WorkingDirectory>${escaped(calling.folder)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
  return {
    files: [{ name: `${name}.xml`, content: `\ufeff${content.replaceAll('\n', '\r\n')}`, encoding: 'utf16le' }],
    todo: [
      `As the user who pays: schtasks /create /tn ${name} /xml ${typedPath(path.join(calling.out, `${name}.xml`))}`,
      'Not tried on Windows: run it once yourself first.',
    ],
  };
}
