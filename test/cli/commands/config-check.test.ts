import { describe, expect, test } from 'vitest';
import { type Desk, openDesk, type Told } from '../../support/desk/command-line.ts';

/** What is wrong and where, as `LINE:COLUMN what it begins with`. */
const placesOf = ({ events }: Told): readonly string[] => {
  const told = events.find(({ type }) => type === 'config.check')?.['mistakes'] ?? [];
  const mistakes = told as readonly { line: number; column: number; says: string }[];
  return mistakes.map(({ line, column, says }) => `${line}:${column} ${says}`);
};

async function checked(text: string, env: Readonly<Record<string, string>> = {}): Promise<{ desk: Desk; told: Told }> {
  const desk = await openDesk();
  const file = await desk.write('c.json', text);
  return { desk, told: await desk.emit(['config', 'check', file], { env }) };
}

describe('config check', () => {
  test('names every mistake at once, each at its line and column with what was probably meant: 2', async () => {
    const { told, desk } = await checked(`\ufeff{
  "organisaton": "Acme",
  "profiles": {
    "live": {
      "sending": { "concurency": 3, "linesPerOrder": "2" },
      "routes": { "wallet": { "routeId": "a", "channelType": 1 } }
    }
  },
  "limits": { "perRow": { "kes": "1" } },
  "currency": "UGX",
  "currency": "shilling"
}`);
    expect(told).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('has 7 mistakes') } });
    expect(placesOf(told)).toEqual([
      expect.stringMatching(/^2:3 Unknown setting organisaton\. Did you mean organisation\?/),
      expect.stringMatching(/^5:20 Unknown setting .*concurency\. Did you mean concurrency\?/),
      expect.stringMatching(/^5:54 profiles\.live\.sending\.linesPerOrder must be a whole number/),
      // Of what is missing, the group that it is missing in.
      expect.stringMatching(/^6:19 profiles\.live\.routes\.wallet\.transactionTypeId is missing/),
      expect.stringMatching(/^9:27 In limits\.perRow, "kes" must be a currency code/),
      expect.stringMatching(/^11:3 "currency" occurs twice/),
      expect.stringMatching(/^11:15 currency must be a currency code/),
    ]);
    // Every other command tells the same.
    const { stderr } = await desk.say(['balance', '--config', 'c.json']);
    expect(stderr).toContain('Line 5, column 54: profiles.live.sending.linesPerOrder must be');
  });

  test('looks at every profile as a command would use it, not at the default one alone', async () => {
    const { told, desk } = await checked(`{ "defaultProfile": "lvie",
  "profiles": {
    "live": { "baseUrl": "http://a:hunter2@pay.example", "tokenUrl": "nope", "clientId": "a" },
    "logs": {},
    "two": { "baseUrl": "https://pay.example", "clientId": "a", "clientSecretFile": "missing" },
    "three": { "baseUrl": "https://pay.example" },
    "sandbox": {}, "env": {}
  } }`);
    expect(told.exit).toBe(2);
    expect(placesOf(told)).toEqual([
      '1:21 There is no profile "lvie". Did you mean live?',
      expect.stringMatching(/^3:26 profiles\.live\.baseUrl holds credentials/),
      expect.stringMatching(/^3:70 profiles\.live\.tokenUrl is not an address/),
      expect.stringMatching(/^4:5 "logs" cannot name a profile/),
      expect.stringMatching(/^5:5 The client secret file .*missing cannot be read \(ENOENT\)/),
      expect.stringMatching(/^6:5 The profile "three" has no client id/),
    ]);
    expect(JSON.stringify(told.events)).not.toContain('hunter2');
    expect((await desk.say(['config', 'check', 'c.json'])).stderr).not.toContain('hunter2');
  });

  test('of what is not JSON tells where the rest cannot be read', async () => {
    const { told } = await checked('{ "currency": "KES",\n "currency": "KES"\n "profiles": {} }');
    expect(told).toMatchObject({ exit: 2, fault: { message: expect.stringContaining('is not JSON') } });
    expect(placesOf(told).map((one) => one.split(' ')[0])).toEqual(['2:2', '2:19']);
  });

  test('of one that is right says so with the file and its profiles, asks no service and keeps nothing', async () => {
    const desk = await openDesk();
    const secret = await desk.write('secret', 'of-acme-and-nobody-else');
    const live = { baseUrl: 'https://pay.invalid', clientId: 'acme', clientSecretFile: secret };
    const file = await desk.writeConfig({ defaultProfile: 'live', profiles: { live, branch: live } });
    const { exit, stdout } = await desk.say(['config', 'check']);
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: `${file} is valid. It has 2 profiles: live, branch; live is used if none is named.\n`,
    });
    expect(await desk.emit(['config', 'check'])).toMatchObject({
      exit: 0,
      stdout: expect.not.stringContaining('of-acme'),
    });
  });
});

test('config show --origin says of each setting where it stands: flag, environment, file or default', async () => {
  const desk = await openDesk();
  const live = { baseUrl: 'https://pay.invalid', clientId: 'acme', sending: { concurrency: 3 } };
  const file = await desk.writeConfig({ organisation: 'Acme', profiles: { live } });
  const env = {
    PAYBATCH_CLIENT_SECRET: 'of-acme-and-nobody-else',
    PAYBATCH_BASE_URL: 'https://pay.invalid',
    PAYBATCH_SCOPE: 's',
  };
  const told = await desk.emit(['config', 'show', '--origin', '--profile', 'live'], { env });
  const settings = told.events[0]?.['settings'] as readonly { name: string; value: string; origin: string }[];
  const originOf = (name: string) => settings.find((one) => one.name === name)?.origin;
  expect(
    Object.fromEntries(
      ['profile', 'scope', 'baseUrl', 'clientId', 'clientSecret'].map((name) => [name, originOf(name)]),
    ),
  ).toEqual({
    profile: '--profile',
    scope: 'PAYBATCH_SCOPE',
    baseUrl: 'PAYBATCH_BASE_URL',
    clientId: file,
    clientSecret: 'PAYBATCH_CLIENT_SECRET',
  });
  expect([originOf('organisation'), originOf('currency')]).toEqual([file, 'default']);
  expect([originOf('profiles.live.sending.concurrency'), originOf('profiles.live.polling.firstMs')]).toEqual([
    file,
    'default',
  ]);
  expect(settings.filter(({ origin }) => !origin)).toEqual([]);
  expect(told.stdout).not.toContain('of-acme-and-nobody-else');
});
