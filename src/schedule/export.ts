/** What starts `schedule run-due` on a system, whichever way that system writes it. */
export interface Calling {
  /** Program and arguments, up to `run-due` and its flags. */
  readonly argv: readonly string[];
  /** The environment that it needs; no secret. */
  readonly env: Readonly<Record<string, string>>;
  readonly profile: string;
  /** The user that pays. */
  readonly user: string;
  /** Where it is started: relative paths of the configuration begin there. */
  readonly folder: string;
  readonly version: string;
}

/** A file to be put where the system looks for it. */
interface ExportedFile {
  readonly name: string;
  readonly content: string;
  /** Windows reads its tasks so. */
  readonly encoding?: 'utf16le';
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  /** What to do with them, a line each. */
  readonly todo: readonly string[];
}

/** Often enough that a payment is minutes late at most, and seldom enough to cost nothing. */
const EVERY_MINUTES = 5;

const nameOf = ({ profile }: Pick<Calling, 'profile'>): string =>
  `paybatch-${profile.toLowerCase().replaceAll('_', '-')}`;

/** In single quotes for the shell; a percent sign would end the line for cron (crontab(5)). */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`.replaceAll('%', '\\%');

/** A line for cron. */
export function cron(calling: Calling): Exported {
  const { argv, env, folder, profile } = calling;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const line = `*/${EVERY_MINUTES} * * * * cd ${shellWord(folder)} && ${[...variables, ...argv.map(shellWord)].join(' ')} --no-color`;
  const name = `${nameOf(calling)}.crontab`;
  return {
    files: [{ name, content: `# paybatch: pay what is due (profile ${profile}). cron mails what it says.\n${line}\n` }],
    todo: [`Add the line to the crontab of the user who pays: crontab -l | cat - ${name} | crontab -`],
  };
}

/** In quotes, with what systemd would replace written twice (systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers"). */
const unitWord = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('$', () => '$$$$')}"`;

/** Environment= replaces specifiers, and no variables. */
const assignment = ([name, value]: readonly [string, string]): string =>
  `Environment="${name}=${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

/** A service and its timer for systemd. */
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
# A large batch takes hours. Asked to stop, it lands what is on its way first.
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
      `Copy both to /etc/systemd/system, then: systemctl daemon-reload && systemctl enable --now ${name}.timer`,
      `What came of it: journalctl -u ${name}`,
    ],
  };
}

/** Where the volume is mounted. */
const MOUNT = '/var/lib/paybatch';

const quoted = (text: string): string => JSON.stringify(text);

/** A CronJob for Kubernetes, with a volume for the state folder. JSON texts are YAML. */
export function k8s(calling: Calling): Exported {
  const { profile, version } = calling;
  const name = nameOf(calling);
  const args = ['schedule', 'run-due', '--profile', profile];
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
          # It lands what is on its way first.
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
                - { name: PAYBATCH_MACHINE, value: ${name} }
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
      `Make the volume claim ${name} (ReadWriteOncePod, a block device) and the secret ${name} with paybatch.config.json and the files that it names.`,
      'Add the schedules in a pod with the same volume. Name your image. Not tried on a cluster: kubectl apply --dry-run=server first.',
    ],
  };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** As programs of Windows take their arguments apart: quotes around, and backslashes before a quote doubled. */
const argument = (text: string): string =>
  `"${text.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => `${slashes}${slashes}${quote && `\\${quote}`}`)}"`;

/** A task has no environment of its own: the shell of the system sets it. */
function commandLine({ argv, env }: Calling): string {
  const sets = Object.entries(env).map(([name, value]) => `set "${name}=${value}"`);
  return `/d /s /c "${[...sets, argv.map(argument).join(' ')].join(' && ')}"`;
}

/** A task for the Task Scheduler of Windows. */
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
      `As the user who pays: schtasks /create /tn ${name} /xml ${name}.xml`,
      'Not tried on Windows: run it once by hand first.',
    ],
  };
}
