/** A service and its timer for systemd. */
import { type Calling, EVERY_MINUTES, type Exported, nameOf } from './calling.ts';

/** In quotes, with what systemd would replace written twice (systemd.service(5), "Command lines"; systemd.unit(5), "Specifiers"). */
const word = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('%', '%%')
    .replaceAll('$', () => '$$$$')}"`;

/** Environment= replaces specifiers, and no variables. */
const assignment = ([name, value]: readonly [string, string]): string =>
  `Environment="${name}=${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

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
ExecStart=${calling.argv.map(word).join(' ')}
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
