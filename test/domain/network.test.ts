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

/** By country and name: code, leading digits and other words, by hand from the numbering plans of the regulators. */
const known: Readonly<Record<string, readonly [mccmnc: string, prefixes: string, words: string]>> = {
  'KE Safaricom': [
    '63902',
    '70 71 72 740 741 742 743 745 746 748 757 758 759 768 769 79 110 111 112 113 114 115',
    'safaricom | saf | mpesa | m-pesa | m pesa',
  ],
  'KE Airtel Kenya': [
    '63903',
    '73 750 751 752 753 754 755 756 762 78 100 101 102 103 104 105 106',
    'airtel | airtel kenya | airtel money',
  ],
  'KE Telkom Kenya': ['63907', '77', 'telkom | telkom kenya | t-kash | tkash | orange | orange money'],
  'KE Faiba': ['63910', '747', 'faiba | jtl | faiba 4g'],
  'KE Equitel': ['63906', '763 764 765 766', 'equitel | equitel money | finserve | finserve africa'],
  'UG MTN Uganda': ['64110', '76 77 78 79 31 39', 'mtn | mtn uganda | momo | mtn momo'],
  'UG Airtel Uganda': ['64101', '70 74 75 20', 'airtel | airtel uganda | airtel money'],
  'TZ Vodacom Tanzania': ['64004', '74 75 76', 'vodacom | vodacom tanzania | mpesa | m-pesa'],
  'TZ Airtel Tanzania': ['64005', '68 69 78', 'airtel | airtel tanzania | airtel money'],
  'TZ Yas Tanzania': ['64002', '65 67 71 77', 'tigo | yas | tigo pesa | mixx | mixx by yas'],
  'TZ Halotel': ['64009', '61 62', 'halotel | halopesa'],
  'RW MTN Rwanda': ['63510', '78 79', 'mtn | mtn rwanda | momo'],
  'RW Airtel Rwanda': ['63514', '72 73', 'airtel | airtel rwanda'],
  'ET Ethio Telecom': ['63601', '9', 'ethio telecom | ethiotel | telebirr'],
  'ET Safaricom Ethiopia': ['63602', '7', 'safaricom | safaricom ethiopia | mpesa | m-pesa'],
};

describe('each network', () => {
  test.each(Object.entries(known))('%s has its code, its numbers and its words', (place, [mccmnc, prefixes, words]) => {
    const [country, name] = [place.slice(0, 2), place.slice(3)];
    for (const prefix of prefixes.split(' ')) {
      expect(networkOfNumber(prefix.padEnd(9, '0'), country), prefix).toMatchObject({ name, mccmnc });
    }
    for (const word of words.split(' | ')) expect(networkNamed(word, country), word).toMatchObject({ name, mccmnc });
  });

  test('is one of these', () => {
    const table = networks.map(({ country, name, mccmnc, prefixes, aliases }) => [
      `${country} ${name}`,
      [mccmnc, prefixes.join(' '), aliases.join(' | ')],
    ]);
    expect(Object.fromEntries(table)).toEqual(known);
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
