/** The options of `init`: everything that a person would be asked, but for the secret, which is never a flag. */
import type { Command } from '@commander-js/extra-typings';
import type { None, OptionsOf } from '../flags/options.ts';
import type { TypedAnswers } from './ask-account.ts';
import type { TypedRemitter } from './ask-remitter.ts';

const repeated = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

export const declareInit = (command: Command) =>
  command
    .option('--organisation <name>', 'who pays, as people read it')
    .option('--country <code>', 'two letters, for example KE')
    .option('--currency <code>', 'three letters; default: that of the country')
    .option('--base-url <address>', 'address of the service')
    .option('--token-url <address>', 'address that gives tokens; default: /connect/token of the service')
    .option('--client-id <id>', 'client id of the account')
    .option('--scope <scope>', 'default: service_api')
    .option('--secret-stdin', 'read the client secret from stdin; on a terminal it is asked for without echo', false)
    .option('--secret-file <file>', 'where the secret is kept; default: with your own configuration')
    .option('--keychain', 'keep the secret in the keychain of this system, and in no file', false)
    .option('--route <kind=route>', 'the route of a way of paying, where several fit; none: it is not used', repeated)
    .option('--routes-path <path>', 'where the service lists its routes, when that is another place than usual')
    .option('--callback-url <address>', 'where the service reports on airtime and bills, which need it')
    .option('--remitter-name <name>', 'name of who pays, for banks')
    .option('--remitter-phone <phone>', 'phone of who pays, for banks, tills and bills')
    .option('--source-of-funds <words>', 'where the money comes from, for banks')
    .option('--principal-activity <words>', 'what the organisation does, for banks')
    .option('--yes', 'replace what is there without being asked', false);

export type InitOptions = OptionsOf<ReturnType<typeof declareInit>> & None;

/** Those that answer a question about the account. */
export const answersIn = (options: InitOptions): TypedAnswers => {
  const { organisation, country, currency, baseUrl, tokenUrl, clientId, scope } = options;
  return { organisation, country, currency, baseUrl, tokenUrl, clientId, scope };
};

/** Those that say who pays. */
export const remitterIn = (options: InitOptions): TypedRemitter => ({
  name: options.remitterName,
  phoneNumber: options.remitterPhone,
  sourceOfFunds: options.sourceOfFunds,
  principalActivity: options.principalActivity,
});
