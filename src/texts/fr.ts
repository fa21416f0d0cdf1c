/** The texts of all issues in French. The file does not compile if one is missing, or belongs to no issue. */
import type { IssueTexts } from './issue-text.ts';

export const frenchTexts: IssueTexts = {
  'PB-EMPTY': {
    says: 'La feuille ne contient aucune ligne à payer.',
    fix: 'Mettez au moins une personne sous les en-têtes, puis relancez.',
  },
  'PB-HEADER-MISSING': {
    says: "Aucune colonne pour {column} n'a été trouvée{hint}.",
    fix: `Ajoutez une colonne intitulée "{heading}", renommez celle qui la contient, ou indiquez une fois laquelle c'est (paybatch map {sheet}).`,
  },
  'PB-HEADER-UNKNOWN': {
    says: 'La ligne {row} contient {headings}. Lequel est {column} ?',
    fix: 'Indiquez-le une fois avec paybatch map {sheet}, ou remplacez cet en-tête par "{heading}".',
  },
  'PB-HEADER-TWICE': {
    says: 'Deux colonnes peuvent être {column} : {headings}.',
    fix: "Renommez ou supprimez l'une d'elles, ou indiquez une fois laquelle compte (paybatch map {sheet}) ; paybatch ne choisit jamais.",
  },
  'PB-HEADER-MERGED': {
    says: "L'en-tête « {value} » est fusionné sur plusieurs colonnes : on ne sait pas laquelle il désigne.",
    fix: 'Annulez la fusion et donnez à chaque colonne son propre en-tête, sur une seule ligne.',
  },
  'PB-HEADER-LATE': {
    says: 'La ligne {row} ressemble aux en-têtes, mais ils sont cherchés dans les {limit} premières lignes seulement.',
    fix: "Supprimez des lignes au-dessus des en-têtes pour qu'ils soient dans les {limit} premières lignes.",
  },
  'PB-HEADER-LINES': {
    says: 'Les en-têtes semblent occuper deux lignes : la ligne {row} contient aussi des en-têtes ({value}).',
    fix: 'Mettez chaque en-tête dans une seule cellule d’une même ligne, et supprimez l’autre ligne.',
  },
  'PB-AMOUNT-HEADING': {
    says: 'Plusieurs en-têtes peuvent être le montant : {headings}.',
    fix: "Indiquez une fois lequel est payé ; c'est retenu pour les feuilles qui ont ces en-têtes : {commands}.",
  },
  'PB-MAPPING-HEADING': {
    says: 'La correspondance {mapping} prend {column} sous l\'en-tête "{heading}", absent de la feuille{hint}.',
    fix: "Corrigez l'en-tête dans la feuille, ou refaites la correspondance avec paybatch map {sheet} --save {mapping}.",
  },
  'PB-HIDDEN': {
    says: "La ligne {row} est masquée : la personne qui a approuvé la feuille ne l'a peut-être pas vue.",
    fix: 'Affichez la ligne (effacez le filtre), supprimez-la, ou confirmez avec --include-hidden que toutes les lignes masquées sont voulues.',
  },
  'PB-STRUCK': {
    says: '"{value}" est barré : ce paiement n\'est peut-être plus voulu.',
    fix: 'Enlevez le texte barré, supprimez la ligne, ou confirmez avec --include-hidden que toutes les lignes masquées ou barrées sont voulues.',
  },
  'PB-MERGED': {
    says: "La cellule fait partie d'une fusion : on ne sait pas à quelles lignes sa valeur s'applique.",
    fix: 'Annulez la fusion et donnez à chaque ligne sa propre valeur.',
  },
  'PB-RAGGED': {
    says: 'La ligne a {fields|champ|champs} alors que les en-têtes en ont {expected} ; ses valeurs ont pu glisser dans une autre colonne.',
    fix: 'Vérifiez les séparateurs et les guillemets de cette ligne.',
  },
  'PB-BELOW-TABLE': {
    says: 'La ligne {row} se trouve sous le tableau, qui finit à la ligne {last}, mais ressemble à un paiement ({value}).',
    fix: 'Déplacez-la dans le tableau ou supprimez-la ; une ligne vide ou une ligne de total termine le tableau.',
  },
  'PB-BELOW-NAMED': {
    says: "La ligne {row} se trouve sous le tableau, qui finit à la ligne {last}, et n'est pas payée, mais elle nomme quelqu'un ({value}).",
    fix: "Si quelqu'un y est payé, déplacez la ligne dans le tableau ; une ligne vide ou une ligne de total termine le tableau.",
  },
  'PB-ROW-COUNT': {
    says: 'La feuille annonce {value} personnes ou paiements, et compte {rows|ligne|lignes}.',
    fix: 'Cherchez qui manque ou qui est de trop, ou corrigez ce nombre.',
  },
  'PB-TOTAL-ROW': {
    says: 'Le total indique {value} mais la somme de ses lignes est {sum}.',
    fix: "Corrigez le total ou les lignes jusqu'à ce qu'ils concordent. Si ce chiffre n'est pas un total, supprimez-le.",
  },
  'PB-TOTAL-LEFT-OUT': {
    says: 'La ligne de total indique {value}; les lignes à payer font {sum}, et {whole} avec celles qui sont laissées de côté.',
    fix: "Corrigez le total ou les lignes jusqu'à ce qu'il concorde avec l'une des deux sommes.",
  },
  'PB-SUBTOTAL-LACKING': {
    says: 'La ligne {row} est sous le dernier sous-total, et aucun sous-total ni total plus bas ne la comprend.',
    fix: 'Ajoutez un sous-total ou un total sous les lignes de cette section. Si elles ne doivent pas être payées, supprimez-les.',
  },
  'PB-TOTAL-NO-VALUE': {
    says: "La ligne de total n'a pas été comparée : sa formule n'a pas de résultat enregistré. Les montants lisibles font au total {sum}.",
    fix: 'Ouvrez le fichier dans Excel et enregistrez-le, puis vérifiez-le de nouveau ; ou comparez vous-même le total avec {sum}.',
  },
  'PB-TOTAL-UNREAD': {
    says: "La ligne de total indique {value}, et les montants lisibles font {sum}. Ils n'ont pas été comparés, car {count|montant est illisible|montants sont illisibles} (le premier est {first}).",
    fix: "Corrigez ces montants. Si vous payez sans eux, vérifiez d'abord que le reste du total leur correspond.",
  },
  'PB-AMOUNT-ALONE': {
    says: "La ligne {row} contient un montant ({value}) et rien d'autre ; la somme des lignes au-dessus est {sum}.",
    fix: "Si c'est la somme, écrivez TOTAL à côté. Si quelqu'un est payé, indiquez qui, et où va l'argent.",
  },
  'PB-TYPE-UNKNOWN': {
    says: '"{value}" n\'est pas un mode de paiement.',
    fix: "Utilisez l'un de ceux-ci : {kinds}. Si la ligne n'est pas payée ici, écrivez la raison dans une colonne Hold.",
  },
  'PB-TYPE-UNCLEAR': {
    says: 'On ne sait pas comment cette ligne doit être payée{hint}.',
    fix: 'Remplissez seulement le téléphone, le compte ou autre numéro à payer, ou dites comment dans une colonne du mode de paiement : {kinds}.',
  },
  'PB-ACCOUNT-ALONE': {
    says: '{heading} est {value}, mais {missing} ne dit pas de qui est ce compte. Sans cela, {paid} serait payé.',
    fix: "Remplissez {missing}, ou dites dans la colonne du type comment la ligne est payée : {kinds}. Si aucun compte n'est voulu, videz-le.",
  },
  'PB-HOLD-UNCLEAR': {
    says: '"{value}" dans la colonne {heading} ne dit pas clairement si cette ligne est retenue ou payée.',
    fix: 'Videz la cellule pour payer la ligne, ou écrivez pourquoi elle est retenue ("oui" suffit).',
  },
  'PB-HOLD-ELSEWHERE': {
    says: '{heading} dit "{value}", mais seule la colonne {hold} retient une ligne.',
    fix: 'Si la ligne ne doit pas être payée, écrivez pourquoi dans une colonne {hold}. Sinon, rien à faire.',
  },
  'PB-PAID-BEFORE-SHEET': {
    says: 'D’après {heading} (« {value} »), {count|ligne a déjà été payée|lignes ont déjà été payées}. Elles seraient payées une seconde fois.',
    fix: 'Si c’est le cas, écrivez-le dans une colonne {hold} pour chacune de ces lignes. Sinon, rien à faire.',
  },
  'PB-CELL-ERROR': {
    says: "{heading} contient l'erreur de tableur {value}.",
    fix: 'Corrigez la formule ou saisissez la valeur.',
  },
  'PB-FORMULA-NO-VALUE': {
    says: '{heading} est une formule sans résultat enregistré.',
    fix: 'Ouvrez le fichier dans Excel, laissez-le calculer, puis enregistrez-le.',
  },
  'PB-CELL-CHARS': {
    says: '{heading} "{value}" contient un caractère qui n\'a pas sa place ici : {character}.',
    fix: 'Saisissez de nouveau la valeur.',
  },
  'PB-CELL-DATE': {
    says: '{heading} est enregistré comme une date.',
    fix: 'Mettez la cellule au format Texte et saisissez de nouveau la valeur.',
  },
  'PB-CELL-BOOLEAN': {
    says: '{heading} est enregistré comme VRAI ou FAUX.',
    fix: 'Mettez la cellule au format Texte et saisissez de nouveau la valeur.',
  },
  'PB-CELL-MISSING': {
    says: '{heading} est vide, alors que ce mode de paiement en a besoin.',
    fix: 'Remplissez la cellule, ou corrigez le mode de paiement de la ligne.',
  },
  'PB-PLACEHOLDER': {
    says: '{heading} contient "{value}", que des personnes et des programmes écrivent quand il n\'y a pas de valeur.',
    fix: "Saisissez la valeur voulue, ou videz la cellule là où il n'en faut pas.",
  },
  'PB-ACCOUNT-UNUSED': {
    says: "{heading} n'est pas utilisé dans {count|ligne|lignes} ; {paid} est payé à sa place. Le premier est {value}.",
    fix: "Rien à faire si c'est voulu. Pour payer des comptes bancaires, ajoutez une colonne avec les codes des banques.",
  },
  'PB-UNUSED-VALUE': {
    says: "{heading} contient {value} dans {count|ligne|lignes}. Aucun paiement ne l'utilise.",
    fix: 'Corrigez-la si elle devait compter ; sinon, rien à faire.',
  },
  'PB-TEXT-LENGTH': {
    says: '{heading} a {length|caractère|caractères} ; le maximum est {limit}.',
    fix: 'Raccourcissez le texte.',
  },
  'PB-ACCOUNT-LENGTH': {
    says: '{heading} "{value}" a {length|caractère|caractères} ; le maximum est {limit}.',
    fix: "Vérifiez le numéro entier. Ne le raccourcissez jamais : s'il est juste, demandez au prestataire comment le payer.",
  },
  'PB-NAME-MISSING': { says: 'Le nom est vide.', fix: "Saisissez le nom de la personne ou de l'entreprise." },
  'PB-NAME-COLUMN': {
    says: 'Aucune colonne de noms trouvée{hint} ; chaque ligne est appelée par son téléphone ou son compte.',
    fix: 'Vérifiez les bénéficiaires par leurs numéros, ou ajoutez une colonne intitulée "{heading}".',
  },
  'PB-PHONE-MISSING': { says: 'Le numéro de téléphone est vide.', fix: 'Saisissez le numéro de téléphone.' },
  'PB-PHONE-LENGTH': {
    says: 'Numéro de téléphone "{value}" incomplet ou trop long : {digits|chiffre|chiffres}.',
    fix: 'Saisissez le numéro entier, par exemple {example}.',
  },
  'PB-PHONE-EXP': {
    says: 'Excel a abrégé ce numéro de téléphone en "{value}" ; ses chiffres sont perdus.',
    fix: 'Mettez la cellule au format Texte et saisissez de nouveau le numéro.',
  },
  'PB-PHONE-CHARS': {
    says: 'Le numéro de téléphone "{value}" contient un caractère qui n\'est pas un chiffre : {character}.',
    fix: "Saisissez le numéro en chiffres seulement (la lettre O n'est pas un zéro).",
  },
  'PB-PHONE-COUNTRY': {
    says: 'Le numéro de téléphone "{value}" n\'est pas un numéro du pays où ce compte paie ({country}).',
    fix: 'Vérifiez le numéro ; si toute la feuille concerne un autre pays, indiquez "country" dans la configuration.',
  },
  'PB-PHONE-LOCAL': {
    says: "Le numéro de téléphone \"{value}\" n'a pas d'indicatif de pays, et {currency} n'est pas la devise du pays de la configuration ({country}).",
    fix: 'Indiquez "country": "{home}" au premier niveau de la configuration. Si ce sont des numéros du pays {country}, écrivez-les avec leur indicatif.',
  },
  'PB-PHONE-LIMIT': {
    says: 'Le numéro de téléphone "{value}" est {read}, soit {length} caractères ; le service en accepte {limit} au plus.',
    fix: "Vérifiez le numéro. S'il est juste, il ne peut pas être payé ici : demandez au prestataire.",
  },
  'PB-PHONE-LANDLINE': {
    says: 'Le numéro de téléphone "{value}" n\'est pas un numéro de mobile.',
    fix: 'Saisissez le numéro de mobile du portefeuille.',
  },
  'PB-NETWORK-COUNTRY': {
    says: 'Aucun réseau mobile n’est connu pour le pays {country} : « {value} » ne peut pas être payé sur un portefeuille mobile.',
    fix: 'Payez cette personne par un autre moyen, par exemple la banque.',
  },
  'PB-NETWORK-UNKNOWN': {
    says: 'Le réseau mobile de "{value}" est inconnu.',
    fix: "Remplissez la colonne du réseau avec l'un de ceux-ci : {networks}.",
  },
  'PB-NETWORK-DIFFERS': {
    says: "La feuille indique {value}, mais le numéro a d'abord été attribué à {network}.",
    fix: 'Vérifiez-le ; un numéro peut avoir changé de réseau.',
  },
  'PB-TILL': {
    says: 'Le numéro de till "{value}" n\'a pas 5 à 9 chiffres.',
    fix: "Saisissez le numéro de till tel que l'entreprise l'affiche.",
  },
  'PB-PAYBILL': {
    says: 'Le numéro paybill "{value}" n\'a pas 5 à 7 chiffres.',
    fix: "Saisissez le numéro paybill tel que l'entreprise l'affiche.",
  },
  'PB-PAYBILL-ACCOUNT': {
    says: 'Le numéro de compte auprès du paybill est vide.',
    fix: 'Indiquez ici le compte auprès de ce paybill.',
  },
  'PB-BANK-CODE': {
    says: 'Le code banque "{value}" n\'est ni un code de 2, 3, 5 ou 6 chiffres, ni un code SWIFT de 8 ou 11 caractères.',
    fix: 'Saisissez le code avec ses zéros, en texte : 07, 68000 ou PRACKENA.',
  },
  'PB-ACCOUNT-DIGITS': {
    says: '{heading} "{value}" a plus de 15 chiffres dans une cellule numérique : Excel a changé les derniers.',
    fix: 'Mettez la cellule au format Texte et saisissez de nouveau le numéro.',
  },
  'PB-AMOUNT-MISSING': { says: 'Le montant est vide.', fix: 'Saisissez le montant, ou supprimez la ligne.' },
  'PB-AMOUNT-ZERO': {
    says: "Le montant {value} n'est pas supérieur à zéro.",
    fix: "Saisissez un montant supérieur à zéro, écrivez dans une colonne Hold pourquoi rien n'est payé, ou supprimez la ligne.",
  },
  'PB-AMOUNT-TEXT': {
    says: 'Le montant "{value}" ne peut pas être lu comme un nombre.',
    fix: 'Saisissez des chiffres avec un point avant les centimes, par exemple 1500.50.',
  },
  'PB-AMOUNT-AMBIGUOUS': {
    says: 'Le montant "{value}" peut se lire de deux façons.',
    fix: 'Saisissez-le sans séparateur, par exemple 1500.00 ; si toute la feuille sépare ainsi les milliers, ajoutez --decimals {mark}.',
  },
  'PB-AMOUNT-MARK': {
    says: 'Le montant "{value}" a "{found}" avant les centimes, mais cette feuille se lit avec "{expected}" à cet endroit.',
    fix: 'Écrivez tous les montants de la même façon, par exemple 1500.50 ; si toute la feuille a "{found}" à cet endroit, ajoutez --decimals {mark}.',
  },
  'PB-AMOUNT-LARGE': {
    says: 'Le montant {value} est trop grand.',
    fix: "Vérifiez s'il manque un point décimal, ou si des chiffres viennent d'une autre colonne.",
  },
  'PB-AMOUNT-DECIMALS': {
    says: "Le montant {value} a plus de décimales que {currency} n'en a.",
    fix: "Saisissez le montant avec {exponent|décimale|décimales} ; paybatch n'arrondit jamais.",
  },
  'PB-AMOUNT-WHOLE': {
    says: "Le montant {value} a des centimes ; ce mode de paiement n'accepte que des {currency} entiers.",
    fix: "Saisissez un montant entier ; paybatch n'arrondit jamais.",
  },
  'PB-NOT-DEDUCTED': {
    says: '{value} sous "{heading}" n\'est pas retenu : la ligne {row} reçoit tout le montant de "{pay}", {amount}.',
    fix: 'Si ce montant doit encore être retenu, ajoutez une colonne avec le reste, par exemple Net à payer, et supprimez ou renommez "{pay}".',
  },
  'PB-CURRENCY': {
    says: '"{value}" n\'est pas la devise de ce lot ({currency}).',
    fix: 'Une feuille paie une seule devise : corrigez-la, ou mettez ces lignes dans une feuille à part.',
  },
  'PB-DUP-REFERENCE': {
    says: 'La référence {value} figure aussi à {others|autre ligne|autres lignes} : {rows}.',
    fix: 'Donnez à chaque paiement sa propre référence ; la même deux fois pourrait payer une personne deux fois.',
  },
  'PB-DUP-ROW': {
    says: 'Cette ligne paie le même {value} que {others|autre ligne|autres lignes} ({rows}), sans référence qui les distingue.',
    fix: 'Supprimez la ligne répétée, donnez une référence à chacune, ou confirmez avec --allow-identical {count}.',
  },
  'PB-DUP-PAYEE': {
    says: "{value} est payé plus d'une fois dans cette feuille (lignes {rows}).",
    fix: 'Vérifiez que chacun de ces paiements est voulu.',
  },
  'PB-HIDDEN-COUNT': {
    says: 'Le tableau a {count|ligne masquée ou barrée|lignes masquées ou barrées}, et non {stated}.',
    fix: "Revoyez ces lignes ; le nombre pour --include-hidden est {count} (si c'est 0, omettez-le).",
  },
  'PB-HIDDEN-COLUMN': {
    says: "La colonne {heading} est utilisée et masquée : la personne qui a approuvé la feuille ne l'a peut-être pas vue.",
    fix: "Affichez la colonne et vérifiez ce qui s'y trouve.",
  },
  'PB-ABOVE-TABLE': {
    says: 'La ligne {row} se trouve au-dessus des en-têtes mais ressemble à un paiement ({value}).',
    fix: 'Déplacez-la sous les en-têtes, ou supprimez-la ; les lignes au-dessus des en-têtes ne sont pas payées.',
  },
  'PB-OTHER-TABLE': {
    says: 'Un autre tableau semble commencer ici, à « {value} ». Personne n’y est payé.',
    fix: 'Déplacez ses bénéficiaires sous les en-têtes du tableau, ou dans une feuille à part. Si personne ne doit y être payé, supprimez-le.',
  },
  'PB-SECTION-NOT-PAID': {
    says: 'La ligne « {value} » dit que les lignes qui la suivent ne sont pas à payer, mais elles le seraient.',
    fix: 'Retirez ces lignes de la feuille, ou écrivez pourquoi dans la colonne {hold} de chacune. Puis supprimez ou reformulez cette ligne.',
  },
  'PB-NOTE-NOT-TO-PAY': {
    says: '« {value} » n’est dans aucune ligne du tableau et n’empêche donc aucun paiement.',
    fix: 'Si des lignes ne sont pas à payer, écrivez pourquoi dans une colonne {hold}. Si rien ne doit encore être payé, ne payez pas cette feuille.',
  },
  'PB-TITLE-KIND': {
    says: '« {value} » annonce {kind}, mais aucune ligne n’a ce type de paiement : chacun recevrait de l’argent.',
    fix: 'Pour {kind}, écrivez « {kind} » dans une colonne {heading} à chaque ligne. Si chacun doit recevoir de l’argent, il n’y a rien à changer.',
  },
  'PB-TITLE-OTHER': {
    says: '« {value} » n’est pas le nom d’une liste de paiements à effectuer, mais tous ceux qui y figurent seraient payés.',
    fix: 'Vérifiez que c’est la bonne feuille. Si oui, changez le titre, ou continuez.',
  },
  'PB-FORMULA-CACHED': {
    says: "{heading} provient d'une formule dans {count|ligne|lignes} ; les résultats enregistrés dans le fichier sont utilisés.",
    fix: "Vérifiez que le fichier a été calculé avant d'être enregistré, ou collez les résultats comme valeurs.",
  },
  'PB-PHONE-STRAY': {
    says: 'Le numéro de téléphone "{value}" est suivi de {stray}, qui ne fait pas partie du numéro.',
    fix: "Saisissez le numéro entier, et rien d'autre.",
  },
  'PB-PHONE-TWO': {
    says: '"{value}" contient deux numéros de téléphone.',
    fix: 'Gardez celui qui doit être payé.',
  },
  'PB-PHONE-ZERO': {
    says: '{count|numéro de téléphone a perdu son|numéros de téléphone ont perdu leur} premier zéro ; celui-ci a été lu {read}.',
    fix: 'Rien à faire ; mettez la colonne au format Texte pour garder les zéros.',
  },
  'PB-NUMBER-FORM': {
    says: '{heading} "{value}" a la forme d\'un nombre calculé par un programme : des chiffres ont pu se perdre ou changer.',
    fix: 'Retrouvez le numéro, mettez la cellule au format Texte et saisissez-le de nouveau.',
  },
  'PB-NUMBER-SHOWN': {
    says: '{heading} est affiché "{shown}", mais la cellule contient {held}, et c\'est ce qui serait envoyé.',
    fix: 'Mettez la colonne au format Texte, puis saisissez le numéro comme il doit être lu.',
  },
  'PB-ACCOUNT-NUMBER': {
    says: '{heading} {value} est enregistré comme nombre : un zéro initial serait perdu.',
    fix: 'Vérifiez que le compte commence ainsi ; sinon, mettez la cellule au format Texte et saisissez-le de nouveau.',
  },
  'PB-AMOUNT-STYLES': {
    says: 'Les montants sont écrits de deux façons : "{first}" en {firstCell} et "{value}" ici.',
    fix: 'Écrivez-les tous de la même façon, avec un point avant les centimes, par exemple 1234.50.',
  },
  'PB-AMOUNT-SPLIT': {
    says: 'Le montant {value} et le champ suivant se lisent {whole} : une virgule sépare peut-être ici des milliers, et non des champs.',
    fix: 'Si {whole} est voulu, mettez-le entre guillemets ou écrivez-le sans virgule ; si {value} est voulu, écrivez {value}.00.',
  },
  'PB-AMOUNT-SHOWN': {
    says: "Le montant est affiché {shown}, mais la cellule contient {held}, et c'est ce qui serait payé.",
    fix: 'Donnez à la cellule le format de nombre Standard, puis saisissez le montant voulu.',
  },
  'PB-AMOUNT-BESIDE': {
    says: 'À chaque ligne, « {value} » est {formula} : c’est peut-être ce qu’il faut payer.',
    fix: 'Dites une fois lequel est payé ; c’est retenu pour les feuilles qui ont ces en-têtes : {commands}.',
  },
  'PB-AMOUNT-CENTS': {
    says: 'Les centimes sont dans une colonne à part ({value} ici), et ne seraient pas payés.',
    fix: 'Écrivez chaque montant avec ses centimes dans une seule cellule, par exemple 1500.50, et supprimez la colonne des centimes.',
  },
  'PB-TOTAL-CARRIED': {
    says: 'Cette ligne reporte une somme d’une autre page (« {value} ») ; ce n’est pas un paiement.',
    fix: 'Supprimez les lignes de report, et les totaux de page qui les comprennent.',
  },
  'PB-TOTAL-PAID': {
    says: 'Cette ligne s’appelle {value}, et serait payée {amount} comme une personne.',
    fix: 'Si c’est le total, videz son téléphone, sa caisse ou son compte. Si c’est un bénéficiaire, écrivez son nom complet.',
  },
  'PB-AMOUNT-SUM': {
    says: 'Le montant {value} est la somme de toutes les autres lignes, comme dans une ligne de total.',
    fix: 'Si c’est le total, ou le compte qui paie, supprimez la ligne. Si c’est un paiement, il n’y a rien à faire.',
  },
  'PB-PHONE-ELSEWHERE': {
    says: 'La colonne « {heading} » a dans cette ligne un autre numéro ({value}) que celui qui serait payé ({phone}).',
    fix: 'Ne gardez que la colonne des numéros à payer, ou dites laquelle c’est : paybatch map {sheet} --column phone="{heading}".',
  },
  'PB-PHONE-IN-TEXT': {
    says: '{heading} indique un autre numéro de téléphone que celui qui serait payé ({phone}) dans {count|ligne|lignes} : « {value} ».',
    fix: "Si c'est l'autre qui doit être payé, inscrivez-le dans la colonne des téléphones. Sinon, il n'y a rien à faire.",
  },
  'PB-AMOUNT-IN-TEXT': {
    says: '{heading} dit « {value} », mais {amount} serait payé ({count|ligne|lignes} de ce genre).',
    fix: "Saisissez le montant à payer. Si le montant est juste, il n'y a rien à faire.",
  },
  'PB-AMOUNT-UNIT': {
    says: '« {value} » indique que les montants sont en milliers ou en millions. Ils seraient payés tels quels.',
    fix: 'Écrivez chaque montant en entier, et supprimez ces mots.',
  },
  'PB-AMOUNT-ROUNDED': {
    says: 'Le montant de {count|ligne|lignes} est affiché arrondi. Le premier est affiché {shown}, et {held} est payé.',
    fix: 'Rien à faire si c’est voulu. Pour payer des montants ronds, saisissez-les, ou arrondissez-les dans la formule.',
  },
  'PB-AMOUNT-UNSEEN': {
    says: "La cellule contient le montant {value}, mais son format de nombre ne l'affiche pas : la personne qui a approuvé la feuille ne l'a peut-être pas vu.",
    fix: 'Donnez à la cellule le format de nombre Standard et vérifiez le montant, supprimez la ligne, ou confirmez avec --include-hidden que toutes les lignes masquées sont voulues.',
  },
  'PB-AMOUNT-UNUSUAL': {
    says: 'Le montant {value} dépasse {factor} fois le montant médian de la feuille ({median}){hint}.',
    fix: "Vérifiez qu'il ne s'agit pas d'une erreur, par exemple un point décimal oublié.",
  },
  'PB-NOTE-SHARED': {
    says: "{heading} \"{value}\" ne sera pas envoyé : la ligne partage son ordre avec d'autres (au plus {lines}), et l'ordre n'a qu'une note pour toutes{hint}.",
    fix: 'Si les notes doivent arriver, mettez sending.linesPerOrder à 1, ou donnez la même note à toutes les lignes ; sinon, rien à faire.',
  },
  'PB-NOTE-UNSENT': {
    says: "{heading} ne sera pas envoyé pour {count|ligne|lignes} : ce mode de paiement n'a pas de place pour une note.",
    fix: 'Rien à faire ; prévenez la personne autrement si la note doit lui parvenir.',
  },
  'PB-NET-PAY': {
    says: "Le montant {value} n'est pas {gross} moins {deductions}, ce qui ferait {net}.",
    fix: 'Vérifiez la paie et les retenues de cette ligne.',
  },
  'PB-CURRENCY-HEADING': {
    says: '« {value} » indique {named}, mais ce lot paie en {currency}.',
    fix: 'Corrigez-le, ou traitez la feuille dans la devise de ses montants (--currency {named}).',
  },
  'PB-CURRENCY-SHOWN': {
    says: 'Le montant est affiché {shown}, mais ce lot paie en {currency} : {held} serait payé en {currency}.',
    fix: 'Si le montant est bien en {currency}, donnez à la cellule le format de nombre Standard ; sinon, traitez la feuille dans la devise de ses montants (--currency).',
  },
  'PB-CURRENCY-COMPUTER': {
    says: "Le format de nombre de {count|montant|montants} affiche la devise de l'ordinateur qui ouvre la feuille (sur certains, {shown} ici) ; le paiement se fait en {currency}.",
    fix: 'Vérifiez que les montants sont bien en {currency} ; un format qui nomme {currency} affiche partout la même chose.',
  },
  'PB-TEXT-HIDDEN': {
    says: '{heading} "{value}" contient {count|un caractère|des caractères} que personne ne voit : {characters}. Ce qui est envoyé est "{sent}".',
    fix: "Vérifiez que c'est bien ce qui est voulu ; saisissez de nouveau la valeur pour que l'avertissement disparaisse.",
  },
  'PB-NAME-FORMULA': {
    says: 'Le nom commence par {character}, comme une formule. Ce qui est envoyé est "{sent}".',
    fix: "Vérifiez qui est payé ; un tableur peut calculer un tel nom à l'ouverture d'un fichier CSV.",
  },
  'PB-NAME-PLACEHOLDER': {
    says: 'Le nom "{value}" est ce qui est écrit dans un exemple, ou quand il n\'y a pas de nom ; il est envoyé tel quel.',
    fix: "Vérifiez qui est payé. Si la personne s'appelle ainsi, rien à faire.",
  },
  'PB-NAME-DAMAGED': {
    says: 'Le nom "{value}" a été abîmé en chemin : {character} a pris la place d\'une autre lettre.',
    fix: 'Vérifiez qui est payé. Enregistrez de nouveau la feuille au format "CSV UTF-8", ou saisissez de nouveau le nom.',
  },
  'PB-NAME-SCRIPTS': {
    says: 'Le nom "{value}" mélange les lettres de deux alphabets : {character} ressemble seulement à une lettre latine.',
    fix: 'Saisissez de nouveau le nom avec un seul clavier, et vérifiez qui est payé.',
  },
  'PB-IDENTICAL-COUNT': {
    says: 'La feuille a {count|ligne identique|lignes identiques}, et non {stated}.',
    fix: "Revoyez les lignes répétées ; le nombre pour --allow-identical est {count} (si c'est 0, omettez-le).",
  },
  'PB-PAYEE-NAMES': {
    says: 'Le bénéficiaire {payee} est payé sous les noms "{first}" (ligne {firstRow}) et "{value}"{hint}.',
    fix: 'Vérifiez à qui est ce numéro.',
  },
  'PB-NAME-PAYEES': {
    says: '"{value}" est payé à {first} (ligne {firstRow}) et à {payee}{hint}.',
    fix: "Vérifiez qu'il s'agit de deux personnes, ou que les deux paiements sont voulus.",
  },
  'PB-ID-NAMES': {
    says: 'Un même numéro de pièce ou fiscal figure à côté de "{first}" (ligne {firstRow}) et de "{value}"{hint}.',
    fix: "Vérifiez s'il s'agit d'une seule personne qui serait payée deux fois, ou lequel des deux numéros est faux.",
  },
  'PB-PAYEE-CLOSE': {
    says: 'Le titulaire de {payee} est "{holder}", un nom proche de "{value}" mais différent.',
    fix: "Vérifiez qu'il s'agit de la même personne, et écrivez le nom comme le compte l'indique.",
  },
  'PB-PAYEE-NO-MATCH': {
    says: 'Le titulaire de {payee} est "{holder}", et non "{value}".',
    fix: 'Cherchez à qui est ce compte et corrigez la ligne ; --accept-no-match accepte de telles lignes par leur nombre exact.',
  },
  'PB-PAYEE-NOT-POSSIBLE': {
    says: 'Personne n\'a pu dire si {payee} appartient à "{value}"{hint}.',
    fix: 'Assurez-vous-en autrement avant de payer, par exemple en demandant au bénéficiaire.',
  },
};
