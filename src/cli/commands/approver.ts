import { Fault } from '../../domain/fault.ts';
import { cliCommand } from '../command.ts';
import { approverChange } from './approver-change.ts';
import { approverCreate } from './approver-create.ts';

const children = [approverCreate, approverChange];

export const approver = cliCommand({
  example: 'paybatch approver create jane --key jane.key',
  moreExamples: ['paybatch approver change --key jane.key', 'paybatch approver create mary --key mary.key --keychain'],
  declare: (command) => command,
  run() {
    const known = children.map(({ name }) => `paybatch approver ${name}`).join(', ');
    throw new Fault('usage', 'What is to be done about approvers?', `Known: ${known}.`);
  },
  children,
});
