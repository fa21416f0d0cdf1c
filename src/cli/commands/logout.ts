import { shown } from '../../domain/shown-text.ts';
import { cliCommand } from '../command.ts';
import { answered } from '../screens/answered.ts';
import { keeperOf, liveProfile, sharersOf } from '../setup/kept-secret.ts';

export const logout = cliCommand({
  example: 'paybatch logout',
  moreExamples: ['paybatch logout --profile branch', 'paybatch logout --json'],
  declare: (command) => command,
  async run(shell) {
    const profile = liveProfile(shell);
    const { profileName } = profile;
    const { secret } = profile.reach;
    const keeper = keeperOf(shell, profile);
    const wasKept = keeper.isKept();
    if (wasKept) keeper.remove();
    const sharers = sharersOf(profile, shell.cwd);
    const isFile = secret?.file !== undefined;
    const place = isFile ? shown(secret.file) : keeper.where;
    const removed = isFile ? `${place} is removed.` : `The secret is removed from ${place}.`;
    return answered(shell, { type: 'logout', profile: profileName, ...keeper.told, wasKept, sharers }, [
      wasKept ? `${removed} Copies of it elsewhere, as in a back-up, are not.` : `No secret is kept in ${place}.`,
      ...(sharers.length > 0 ? [`WARN      It was the secret of ${sharers.join(', ')} as well.`] : []),
      `Commands of the profile ${profileName} end with 2 until: paybatch login --profile ${profileName}`,
    ]);
  },
});
