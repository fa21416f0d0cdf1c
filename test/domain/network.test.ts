import { describe, expect, test } from 'vitest';
import { networkNamed, networkOfNumber, networks } from '../../src/domain/network.ts';

const countries = [...new Set(networks.map(({ country }) => country))];

/** Mobile country codes of ITU-T E.212. */
const mobileCountryCodes: Readonly<Record<string, string>> = { KE: '639', UG: '641', TZ: '640', RW: '635', ET: '636' };

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, at) => texts.indexOf(text) !== at);

describe('the table of networks', () => {
  test('holds at least two networks of each country, and codes that begin with the code of the country', () => {
    expect(countries.sort()).toEqual(Object.keys(mobileCountryCodes).sort());
    for (const { country, mccmnc } of networks)
      expect(mccmnc).toMatch(new RegExp(`^${mobileCountryCodes[country]}\\d{2}$`));
    for (const country of countries)
      expect(networks.filter((known) => known.country === country).length).toBeGreaterThan(1);
  });

  test('names no code twice', () => {
    expect(repeated(networks.map(({ mccmnc }) => mccmnc))).toEqual([]);
  });

  test.each(countries)('of %s leaves no doubt which network a word or a prefix means', (country) => {
    const own = networks.filter((known) => known.country === country);
    const words = own.flatMap(({ name, mccmnc, aliases }) => [...new Set([name.toLowerCase(), mccmnc, ...aliases])]);
    expect(repeated(words)).toEqual([]);
    expect(repeated(own.flatMap(({ prefixes }) => prefixes))).toEqual([]);
  });

  test('finds each network by each of its words, in capitals and with spaces around', () => {
    for (const network of networks) {
      for (const word of [network.name, network.mccmnc, ...network.aliases]) {
        expect(networkNamed(` ${word.toUpperCase()} `, network.country)).toBe(network);
      }
    }
  });

  test('finds each network by each of its prefixes', () => {
    for (const network of networks) {
      for (const prefix of network.prefixes) {
        expect(networkOfNumber(prefix.padEnd(9, '0'), network.country)?.country, prefix).toBe(network.country);
        if (prefix.length === 3) expect(networkOfNumber(prefix.padEnd(9, '0'), network.country)).toBe(network);
      }
    }
  });
});

describe('the network of a number', () => {
  test.each([
    ['KE', '712345678', 'Safaricom'],
    ['KE', '110123456', 'Safaricom'],
    ['KE', '733000111', 'Airtel Kenya'],
    ['KE', '100123456', 'Airtel Kenya'],
    ['KE', '772123456', 'Telkom Kenya'],
    ['KE', '747123456', 'Faiba'],
    ['KE', '763123456', 'Equitel'],
    ['KE', '766999999', 'Equitel'],
    ['UG', '772123456', 'MTN Uganda'],
    ['UG', '701234567', 'Airtel Uganda'],
    ['TZ', '754123456', 'Vodacom Tanzania'],
    ['TZ', '713123456', 'Yas Tanzania'],
    ['RW', '788123456', 'MTN Rwanda'],
    ['ET', '911234567', 'Ethio Telecom'],
    ['ET', '711234567', 'Safaricom Ethiopia'],
  ])('%s %s was first given to %s', (country, national, name) => {
    expect(networkOfNumber(national, country)?.name).toBe(name);
  });

  test.each([
    ['KE', '202345678'],
    ['KE', '767123456'],
    ['KE', '0712345678'],
    ['KE', ''],
    ['NG', '712345678'],
  ])('%s %s belongs to nobody we know', (country, national) => {
    expect(networkOfNumber(national, country)).toBeUndefined();
  });
});

describe('a network by name', () => {
  test('is looked for in its own country only', () => {
    expect(networkNamed('mtn', 'KE')).toBeUndefined();
    expect(networkNamed('airtel', 'KE')?.mccmnc).not.toBe(networkNamed('airtel', 'UG')?.mccmnc);
    expect(networkNamed('63902', 'UG')).toBeUndefined();
  });

  test.each(['', 'Nokia', 'saf airtel', '639', '6390', 'Safaricon'])('"%s" names none', (text) => {
    expect(networkNamed(text, 'KE')).toBeUndefined();
  });
});
