/** A task for the Task Scheduler of Windows. */
import { type Calling, EVERY_MINUTES, type Exported, nameOf } from './calling.ts';

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
