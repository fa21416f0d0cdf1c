import { Argument, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliCommand } from '../command.ts';
import { completedShells, completionOf, completions } from '../help/completion.ts';
import { answered } from '../screens/answered.ts';

/** It is made from the other commands, so it needs commander's own record of them. */
export const completion: CliCommand = {
  example: completions.bash.use,
  moreExamples: [completions.zsh.use, completions.fish.use],
  declare(command) {
    const declared = command.addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(completedShells));
    return async (shell) => {
      const [name] = declared.processedArgs;
      const lines = completionOf(command.parent as CommandUnknownOpts, name); // it is below the program
      return answered(shell, { type: 'completion', shell: name, script: lines.join('\n') }, lines);
    };
  },
};
