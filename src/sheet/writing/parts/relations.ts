/** What a part of a workbook refers to: other parts, by ids of its own. Source: ECMA-376 part 2, section 9.3. */
import { namespaces, XML_HEAD, xmlAttribute } from './xml.ts';

/** The relations of one part, in the order in which they were named. */
export class Relations {
  readonly #made: string[] = [];

  /** Gives the id by which the part names the other one. `target` is relative to the part. */
  add(type: string, target: string): string {
    const id = `rId${this.#made.length + 1}`;
    this.#made.push(`<Relationship Id="${id}" Type="${type}" Target="${xmlAttribute(target)}"/>`);
    return id;
  }

  get isEmpty(): boolean {
    return this.#made.length === 0;
  }

  xml(): string {
    return `${XML_HEAD}<Relationships xmlns="${namespaces.packageRelations}">${this.#made.join('')}</Relationships>`;
  }
}
