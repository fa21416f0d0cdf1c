/** A CronJob for Kubernetes, with a volume for the state folder. JSON texts are YAML. */
import { type Calling, EVERY_MINUTES, type Exported, nameOf } from './calling.ts';

/** Where the volume is mounted. */
const MOUNT = '/var/lib/paybatch';

const quoted = (text: string): string => JSON.stringify(text);

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
