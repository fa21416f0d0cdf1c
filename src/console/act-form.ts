/**
 * The fields of forms, and a form that acts: it says what will be done and with whose money, carries what its page had shown, and
 * names its button after the act.
 */

import type { Settings } from '../domain/settings.ts';
import { type Html, html, isolated, prose } from '../html/html.ts';
import { addressOf, hiddenFields, ownForm, type Site } from './frame.ts';
import { type Seen, seenFields } from './seen.ts';

/** A field that a person fills in. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  /** A hint below the field; may contain text that others wrote. */
  readonly hint?: string;
  readonly value?: string;
  /** Longest text, in characters. */
  readonly most?: number;
  /** The field may stay empty. */
  readonly optional?: true;
  /** The field takes only digits. */
  readonly digits?: true;
  /** The text is hidden while it is typed, as a passphrase is. */
  readonly secret?: true;
  /** Suggested values; other values may be typed as well. */
  readonly among?: readonly string[];
  /** The field is a check box. */
  readonly tick?: true;
}

export interface Act {
  /** Path of the page that takes the form, such as `pay`. */
  readonly action: string;
  /** Absent for a form that counts from a page of any age. */
  readonly seen?: Seen;
  /** What the form does, in a few words. */
  readonly legend: string;
  /** What a person should know before pressing the button. */
  readonly says?: Html;
  /** Values that are sent with the form but not shown. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: readonly FormField[];
  /** Label of the button, which names the act. */
  readonly button: string;
  /** The button is not the main way forward, as for declining. */
  readonly plain?: true;
}

/** An act that a command does as well. */
export interface TypedAct extends Act {
  /** The command, without `paybatch`. */
  readonly command: string;
}

export function actForm(site: Site<Pick<Settings, 'sandbox' | 'profile'>>, act: Act): Html {
  const { settings } = site;
  const { action, seen, legend, says, hidden = {}, fields = [], button, plain } = act;
  return html`<form class="act ${settings.sandbox ? 'practises' : 'pays'}" method="post" action="${addressOf(site, action)}">
${ownForm(site)}${seen && seenFields(seen)}${hiddenFields(hidden)}<fieldset><legend>${legend}</legend>
<p class="whose"><strong>${settings.sandbox ? 'SANDBOX' : 'REAL MONEY'}</strong> profile ${isolated(settings.profile)}</p>
${says}
${fields.map((field) => formField(action.replaceAll('/', '-'), field))}
<p class="actions"><button${plain && html` class="plain"`}>${button}</button></p></fieldset></form>`;
}

/** A field with its label and hint. `form`: unique on the page, for the id of the field. */
export function formField(form: string, field: FormField): Html {
  const { name, label, hint, value = '', most = 64, optional, digits, secret, among = [], tick } = field;
  const id = `${form}-${name}`;
  const below = hint !== undefined && html`<p class="quiet" id="${id}-hint">${prose(hint)}</p>`;
  const described = below && html` aria-describedby="${id}-hint"`;
  if (tick)
    return html`<div class="tick"><input type="checkbox" id="${id}" name="${name}" value="yes"${described}> <label for="${id}">${label}</label>${below}</div>`;
  const list =
    among.length > 0 &&
    html`<datalist id="${id}-list">${among.map((one) => html`<option value="${one}"></option>`)}</datalist>`;
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}"${secret && html` type="password"`} value="${value}" maxlength="${most}"${digits && html` inputmode="numeric"`}${!optional && ' required'}${list && html` list="${id}-list"`}${described} autocomplete="off" spellcheck="false">${list}${below}</div>`;
}
