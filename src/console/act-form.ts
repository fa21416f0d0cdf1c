/** A form that acts: it says what is done and with whose money, carries what its page had seen, and names its button after the act. */

import type { Settings } from '../domain/settings.ts';
import { type Html, html, isolated, told } from '../html/html.ts';
import { addressOf, hiddenFields, ownForm, type Site } from './frame.ts';
import { type Seen, seenFields } from './seen.ts';

/** One thing that a person types, or says by typing it. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  /** What stands below it; may be from others. */
  readonly hint?: string;
  readonly value?: string;
  /** Characters. */
  readonly most?: number;
  /** It may be left empty. */
  readonly optional?: true;
  /** It takes digits alone. */
  readonly digits?: true;
  /** Nobody may read over a shoulder what is typed. */
  readonly secret?: true;
  /** What is proposed; anything else may be typed as well. */
  readonly among?: readonly string[];
  /** It is ticked, and not typed. */
  readonly tick?: true;
}

export interface Act {
  /** Page that takes the form, as `pay`. */
  readonly action: string;
  readonly seen: Seen;
  /** What happens, in a few words of ours. */
  readonly legend: string;
  /** What is to be known before. */
  readonly says?: Html;
  /** What is sent along and not seen. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: readonly ActField[];
  /** What the button says: the act itself. */
  readonly button: string;
  /** It is the way back, and not the way on. */
  readonly plain?: true;
}

export function actForm(site: Site, settings: Pick<Settings, 'sandbox' | 'profile'>, act: Act): Html {
  const { action, seen, legend, says, hidden = {}, fields = [], button, plain } = act;
  return html`<form class="act ${settings.sandbox ? 'practises' : 'pays'}" method="post" action="${addressOf(site, action)}">
${ownForm(site)}${seenFields(seen)}${hiddenFields(hidden)}<fieldset><legend>${legend}</legend>
<p class="whose"><strong>${settings.sandbox ? 'SANDBOX' : 'REAL MONEY'}</strong> profile ${isolated(settings.profile)}</p>
${says}
${fields.map((field) => fieldOf(action, field))}
<p class="actions"><button${plain && html` class="plain"`}>${button}</button></p></fieldset></form>`;
}

function fieldOf(action: string, field: ActField): Html {
  const { name, label, hint, value = '', most = 64, optional, digits, secret, among = [], tick } = field;
  const id = `${action.replaceAll('/', '-')}-${name}`;
  const below = hint !== undefined && html`<p class="quiet" id="${id}-hint">${told(hint)}</p>`;
  const described = below && html` aria-describedby="${id}-hint"`;
  if (tick)
    return html`<div class="tick"><input type="checkbox" id="${id}" name="${name}" value="yes"${described}> <label for="${id}">${label}</label>${below}</div>`;
  const list =
    among.length > 0 &&
    html`<datalist id="${id}-list">${among.map((one) => html`<option value="${one}"></option>`)}</datalist>`;
  return html`<div class="long"><label for="${id}">${label}</label><input id="${id}" name="${name}"${secret && html` type="password"`} value="${value}" maxlength="${most}"${digits && html` inputmode="numeric"`}${!optional && ' required'}${list && html` list="${id}-list"`}${described} autocomplete="off" spellcheck="false">${list}${below}</div>`;
}
