/**
 * Mobile networks of East Africa. A prefix only suggests a network, because numbers can be ported; a network stated in the
 * sheet wins. Codes: MCC and MNC of ITU-T E.212. Spec: "Mobile-wallet transfer rules" (`recipient.mccmnc`).
 */
export interface Network {
  readonly mccmnc: string;
  readonly name: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  /** Names that people write for the network, in lower case. */
  readonly aliases: readonly string[];
  /** Leading digits of the national number (without trunk zero) that were first given to this network. The longest match wins. */
  readonly prefixes: readonly string[];
}

export const networks: readonly Network[] = [
  {
    mccmnc: '63902',
    name: 'Safaricom',
    country: 'KE',
    aliases: ['safaricom', 'saf', 'mpesa', 'm-pesa', 'm pesa'],
    prefixes: '70 71 72 740 741 742 743 745 746 748 757 758 759 768 769 79 110 111 112 113 114 115'.split(' '),
  },
  {
    mccmnc: '63903',
    name: 'Airtel Kenya',
    country: 'KE',
    aliases: ['airtel', 'airtel kenya', 'airtel money'],
    prefixes: '73 750 751 752 753 754 755 756 762 78 100 101 102 103 104 105 106'.split(' '),
  },
  {
    mccmnc: '63907',
    name: 'Telkom Kenya',
    country: 'KE',
    aliases: ['telkom', 'telkom kenya', 't-kash', 'tkash', 'orange', 'orange money'],
    prefixes: ['77'],
  },
  { mccmnc: '63910', name: 'Faiba', country: 'KE', aliases: ['faiba', 'jtl', 'faiba 4g'], prefixes: ['747'] },
  // A virtual network of a bank, with its own network code and block of numbers.
  {
    mccmnc: '63906',
    name: 'Equitel',
    country: 'KE',
    aliases: ['equitel', 'equitel money', 'finserve', 'finserve africa'],
    prefixes: '763 764 765 766'.split(' '),
  },
  {
    mccmnc: '64110',
    name: 'MTN Uganda',
    country: 'UG',
    aliases: ['mtn', 'mtn uganda', 'momo', 'mtn momo'],
    prefixes: '76 77 78 79 31 39'.split(' '),
  },
  {
    mccmnc: '64101',
    name: 'Airtel Uganda',
    country: 'UG',
    aliases: ['airtel', 'airtel uganda', 'airtel money'],
    prefixes: '70 74 75 20'.split(' '),
  },
  {
    mccmnc: '64004',
    name: 'Vodacom Tanzania',
    country: 'TZ',
    aliases: ['vodacom', 'vodacom tanzania', 'mpesa', 'm-pesa'],
    prefixes: '74 75 76'.split(' '),
  },
  {
    mccmnc: '64005',
    name: 'Airtel Tanzania',
    country: 'TZ',
    aliases: ['airtel', 'airtel tanzania', 'airtel money'],
    prefixes: '68 69 78'.split(' '),
  },
  {
    mccmnc: '64002',
    name: 'Yas Tanzania',
    country: 'TZ',
    aliases: ['tigo', 'yas', 'tigo pesa', 'mixx', 'mixx by yas'],
    prefixes: '65 67 71 77'.split(' '),
  },
  { mccmnc: '64009', name: 'Halotel', country: 'TZ', aliases: ['halotel', 'halopesa'], prefixes: '61 62'.split(' ') },
  {
    mccmnc: '63510',
    name: 'MTN Rwanda',
    country: 'RW',
    aliases: ['mtn', 'mtn rwanda', 'momo'],
    prefixes: '78 79'.split(' '),
  },
  {
    mccmnc: '63514',
    name: 'Airtel Rwanda',
    country: 'RW',
    aliases: ['airtel', 'airtel rwanda'],
    prefixes: '72 73'.split(' '),
  },
  {
    mccmnc: '63601',
    name: 'Ethio Telecom',
    country: 'ET',
    aliases: ['ethio telecom', 'ethiotel', 'telebirr'],
    prefixes: ['9'],
  },
  {
    mccmnc: '63602',
    name: 'Safaricom Ethiopia',
    country: 'ET',
    aliases: ['safaricom', 'safaricom ethiopia', 'mpesa', 'm-pesa'],
    prefixes: ['7'],
  },
];

/** The longest prefixes first. No two networks of a country have the same one. */
const byPrefix = networks
  .flatMap((network) => network.prefixes.map((prefix) => ({ prefix, network })))
  .toSorted((one, other) => other.prefix.length - one.prefix.length);

/** Returns the network that a national number (without trunk zero) was first given to; `undefined` if unknown. */
export const networkOfNumber = (nationalNumber: string, country: string): Network | undefined =>
  byPrefix.find(({ prefix, network }) => network.country === country && nationalNumber.startsWith(prefix))?.network;

/** Words that go with the names of networks: `MTN Mobile Money`. */
const BESIDE = 'mobile|money|wallet';
/** Longest text that is compared with the names of a network: `Safaricom (M-PESA mobile money)`. */
const NAME_MAX = 40;

const compared = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Matches the names of each network, one or several of them: `M-Pesa (Safaricom)`. */
const namePatterns: readonly RegExp[] = networks.map(({ name, aliases }) => {
  const names = [name, ...aliases].map(compared).join('|');
  return new RegExp(`^(?:${BESIDE})*(?:${names})(?:${names}|${BESIDE})*$`);
});

/** Reports whether a text names a network of any country, and nothing else. */
export function namesNetwork(text: string): boolean {
  const word = compared(text);
  return word.length <= NAME_MAX && namePatterns.some((pattern) => pattern.test(word));
}

/** Returns the network that a person named (`M-PESA`, `63902`, `Airtel Money`) in a country; `undefined` if unknown. */
export function networkNamed(text: string, country: string): Network | undefined {
  const wanted = text.trim().toLowerCase();
  return networks.find(
    (network) =>
      network.country === country &&
      (network.mccmnc === wanted || network.name.toLowerCase() === wanted || network.aliases.includes(wanted)),
  );
}
