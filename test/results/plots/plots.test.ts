import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import type { KindName } from '../../../src/domain/batch.ts';
import { add, type Money, moneyText, zero } from '../../../src/domain/money.ts';
import { outcomes, outcomeTable } from '../../../src/domain/outcome.ts';
import { chargePlot } from '../../../src/results/plots/charge-plot.ts';
import { darkPlotStyle, plotColours } from '../../../src/results/plots/drawing.ts';
import { PLOT_HEIGHT, PLOT_WIDTH, type Plot } from '../../../src/results/plots/plot.ts';
import { plotsOf } from '../../../src/results/plots/plots.ts';
import { timeLines } from '../../../src/results/plots/time-plot.ts';
import type { ResultsSource } from '../../../src/results/source.ts';
import { RESULTS_OPTIONS, reportOf } from '../../support/result-report.ts';
import { money, resultRow, sourceOf } from '../../support/result-rows.ts';
import { mixedSource } from '../section-texts.ts';

const KES = money(0).currency;

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Every element of a picture with its text; a picture that is not well-formed throws. */
function tagsOf(svg: string): readonly Tag[] {
  const tags: Tag[] = [];
  const open: Tag[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const tag = { name, attributes, text: '' };
    tags.push(tag);
    open.push(tag);
  });
  parser.on('text', (text) => {
    const inner = open.at(-1);
    if (inner) inner.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  return tags;
}

const named = (plot: Plot, name: string): readonly Tag[] => tagsOf(plot.svg).filter((tag) => tag.name === name);
const textsOf = (plot: Plot): readonly string[] => named(plot, 'text').map(({ text }) => text);
const allOf = async (source: ResultsSource): Promise<readonly Plot[]> => Object.values(plotsOf(await reportOf(source)));

const hostile = `<script>"&'\u202e =1+1 \u0007\n${'x'.repeat(200)}`;

describe('a plot', () => {
  const sources = {
    'in which every outcome occurs': mixedSource(),
    'of one row': sourceOf([resultRow(2)]),
    'without a row': sourceOf([]),
    'of which nothing was paid': sourceOf([resultRow(2, { outcome: 'unsent' })]),
    'of the largest sums': sourceOf([resultRow(2, { payout: { amount: money(999_999_999_999_999n) } })]),
  };

  test.each(Object.entries(sources))(
    'of a batch %s is a picture with title, description and role',
    async (_, source) => {
      for (const plot of await allOf(source)) {
        const [svg, title, desc] = tagsOf(plot.svg);
        expect([svg?.name, svg?.attributes['role'], svg?.attributes['viewBox']]).toEqual([
          'svg',
          'img',
          `0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`,
        ]);
        expect([title?.name, title?.text]).toEqual(['title', plot.title]);
        expect([desc?.name, desc?.text]).toEqual(['desc', plot.description]);
        expect(svg?.attributes['aria-labelledby']).toBe(`${title?.attributes['id']} ${desc?.attributes['id']}`);
        expect(plot.svg).not.toMatch(/NaN|Infinity|undefined|style=|href|url\(/);
      }
      const ids = (await allOf(source)).flatMap(({ svg }) => svg.match(/ id="[^"]*"/g));
      expect(new Set(ids).size).toBe(6);
    },
  );

  test.each(Object.entries(sources))('of a batch %s stays within its edges', async (_, source) => {
    for (const plot of await allOf(source)) {
      for (const { attributes } of named(plot, 'rect')) {
        expect(Number(attributes['x']) + Number(attributes['width'])).toBeLessThanOrEqual(PLOT_WIDTH);
        expect(Number(attributes['y']) + Number(attributes['height'])).toBeLessThanOrEqual(PLOT_HEIGHT);
      }
      for (const { attributes, text } of named(plot, 'text')) {
        const width = text.length * Number(attributes['font-size']) * 0.5;
        const end = attributes['text-anchor'] === 'start' ? Number(attributes['x']) + width : 0;
        expect([text, end]).toEqual([text, expect.closeTo(Math.min(end, PLOT_WIDTH), 6)]);
      }
    }
  });

  test('takes no text of others for markup, and cuts a long label', async () => {
    const kindTitles = { [hostile]: hostile };
    const rows = [resultRow(2, { payout: { kind: hostile as KindName, name: hostile } })];
    const report = await reportOf(sourceOf(rows));
    const { charges } = plotsOf({ ...report, options: { ...RESULTS_OPTIONS, kindTitles } });
    expect(named(charges, 'script')).toEqual([]);
    const label = textsOf(charges).find((text) => text.startsWith('<script>'));
    expect(label).toMatch(/^<script>"&'<U\+202E.*…$/);
    expect(label?.length).toBeLessThan(50);
    for (const character of ['\u202e', '\u0007', '\n']) expect(charges.svg).not.toContain(character);
  });
});

describe('the plot of outcomes', () => {
  test('has a bar for each outcome that occurs, with its word, amount and rows', async () => {
    const { outcomes: plot } = plotsOf(await reportOf(mixedSource()));
    const words = textsOf(plot);
    for (const outcome of outcomes) expect(words).toContain(outcomeTable[outcome].title);
    expect(words).toContain('KES 198,000.00 · 2 rows');
    expect(named(plot, 'rect')).toHaveLength(outcomes.length);
    const one = plotsOf(await reportOf(sourceOf([resultRow(2)]))).outcomes;
    expect(textsOf(one)).toEqual(['Outcome by amount', 'Completed', 'KES 15,002.00 · 1 row']);
  });

  test('draws bars as long as their amounts, and a small one so that it is seen', async () => {
    const rows = [money(400_000_000), money(200_000_000), money(1)].map((amount, index) =>
      resultRow(index + 2, { outcome: outcomes[index] ?? 'failed', payout: { amount } }),
    );
    const { outcomes: plot } = plotsOf(await reportOf(sourceOf(rows)));
    const [all = 0, half = 0, trace = 0] = named(plot, 'rect').map(({ attributes }) => Number(attributes['width']));
    expect(half).toBeCloseTo(all / 2, 1);
    expect(trace).toBe(2);
  });
});

describe('the plot over time', () => {
  test('rises from nothing to what was completed, and says when that was', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => resultRow(index + 2, { payout: { amount: money(1000) } }));
    const report = await reportOf(sourceOf(rows));
    const { timeline: plot } = plotsOf(report);
    const [points = ''] = named(plot, 'polyline').map(({ attributes }) => attributes['points'] ?? '');
    const heights = points.split(' ').map((point) => Number(point.split(',')[1]));
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(heights.at(-1)).toBeLessThan(heights[0] ?? 0);
    expect(textsOf(plot)).toEqual(expect.arrayContaining(['KES 500.00', '09:05:00', '09:05:55']));
    const lines = timeLines(report.figures.timeline, KES);
    expect(lines[0]).toEqual({ about: '09:05:00', count: 3, amount: money(3000), soFar: money(3000) });
    expect(lines.at(-1)?.soFar).toEqual(money(50_000));
  });

  test('names what a person said to be paid, because nobody knows when', async () => {
    const byHand = resultRow(3, { outcome: 'completed' });
    const line = byHand.line && { ...byHand.line, phase: 'open' as const, resolved: { as: 'completed' } as never };
    const report = await reportOf(sourceOf([resultRow(2), { ...byHand, ...(line && { line }) }]));
    const lines = timeLines(report.figures.timeline, KES);
    expect(lines.map(({ about, count }) => [about, count])).toEqual([
      ['09:05:02', 1],
      ['Time unknown', 1],
    ]);
    expect(plotsOf(report).timeline.description).toContain('Nobody knows when 1 row was completed: KES 15,003.00.');
    expect(lines.at(-1)?.soFar).toEqual(money(3_000_500));
  });
});

describe('the plot of charges', () => {
  const kinds = [
    { title: 'Mobile wallet', paidCount: 2, paidQuoted: money(6600), fees: money(6586) },
    { title: 'Paybill', paidCount: 0, paidQuoted: money(0), fees: money(0) },
    { title: 'Till', paidCount: 0, paidQuoted: money(0), fees: money(40) },
  ];

  test('has two bars for each way of paying that cost something, each with its word', () => {
    const plot = chargePlot(kinds, KES);
    expect(textsOf(plot)).toEqual([
      'Charges by way of paying',
      'Quoted',
      'Charged',
      'Mobile wallet',
      'KES 66.00',
      'KES 65.86',
      'Till',
      'KES 0.00',
      'KES 0.40',
    ]);
    const sum = (part: (kind: (typeof kinds)[number]) => Money): Money =>
      kinds.reduce((all, one) => add(all, part(one)), zero(KES));
    expect(plot.description).toContain(
      `${moneyText(sum(({ paidQuoted }) => paidQuoted))} quoted and ${moneyText(sum(({ fees }) => fees))} charged`,
    );
  });
});

describe('the colours of the plots', () => {
  const channel = (hex: string): number => {
    const share = Number.parseInt(hex, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  /** Relative luminance, WCAG 2.2. */
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[0-9a-f]{2}/g) ?? []).map(channel);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: string, b: string): number => {
    const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };

  test('are told from the page, bars by 3 to 1 and texts by 4.5 to 1, light and dark', () => {
    const { line: _, ...seen } = plotColours;
    for (const [name, { light, dark }] of Object.entries(seen)) {
      const least = name === 'ink' || name === 'quiet' ? 4.5 : 3;
      expect([name, contrast(light, '#ffffff')]).toEqual([name, expect.toSatisfy((found: number) => found >= least)]);
      expect([name, contrast(dark, '#1e1e1e')]).toEqual([name, expect.toSatisfy((found: number) => found >= least)]);
    }
  });

  test('are classes as well, which a dark page has rules for', async () => {
    for (const { svg } of await allOf(mixedSource())) {
      const classes = [...svg.matchAll(/class="(plot-(?:fill|stroke)-\w+)"/g)].map(([, found]) => found ?? '');
      expect(classes.length).toBeGreaterThan(5);
      for (const found of classes) expect(darkPlotStyle).toContain(`.${found} {`);
    }
  });
});
