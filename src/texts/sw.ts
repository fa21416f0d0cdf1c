/** The texts of all issues in Swahili, as written in Kenya. The file does not compile if one is missing, or belongs to no issue. */
import type { IssueTexts } from './issue-text.ts';

export const swahiliTexts: IssueTexts = {
  'PB-EMPTY': {
    says: 'Orodha haina mstari wowote wa kulipwa.',
    fix: 'Weka angalau mtu mmoja chini ya vichwa vya safu, kisha uiendeshe tena.',
  },
  'PB-HEADER-MISSING': {
    says: 'Hakuna safu ya {column} iliyopatikana{hint}.',
    fix: 'Ongeza safu yenye kichwa "{heading}", badilisha kichwa cha safu iliyo nayo, au taja mara moja ni ipi (paybatch map {sheet}).',
  },
  'PB-HEADER-UNKNOWN': {
    says: 'Mstari {row} una {headings}. Ni kipi kilicho {column}?',
    fix: 'Taja mara moja kwa paybatch map {sheet}, au badilisha kichwa hicho kuwa "{heading}".',
  },
  'PB-HEADER-TWICE': {
    says: 'Safu mbili zote zinaweza kuwa {column}: {headings}.',
    fix: 'Badilisha kichwa cha moja au uiondoe, au taja mara moja ni ipi (paybatch map {sheet}); paybatch haichagui yenyewe.',
  },
  'PB-HEADER-MERGED': {
    says: 'Kichwa "{value}" kimeunganishwa juu ya safu kadhaa, hivyo haijulikani ni cha safu ipi.',
    fix: 'Tenganisha seli hizo na uipe kila safu kichwa chake, katika mstari mmoja.',
  },
  'PB-HEADER-LATE': {
    says: 'Mstari {row} unafanana na vichwa, lakini vichwa hutafutwa katika mistari {limit} ya kwanza tu.',
    fix: 'Futa mistari iliyo juu ya vichwa hadi viwe ndani ya mistari {limit} ya kwanza.',
  },
  'PB-HEADER-LINES': {
    says: 'Vichwa vinaonekana kuchukua mistari miwili: mstari wa {row} nao una vichwa ({value}).',
    fix: 'Weka kila kichwa kwenye kisanduku kimoja cha mstari mmoja, na ufute mstari mwingine.',
  },
  'PB-AMOUNT-HEADING': {
    says: 'Vichwa zaidi ya kimoja vinaweza kuwa kiasi: {headings}.',
    fix: 'Taja mara moja ni kipi kinacholipwa; kitakumbukwa kwa orodha zenye vichwa hivi: {commands}.',
  },
  'PB-MAPPING-HEADING': {
    says: 'Ulinganisho {mapping} huchukua {column} kutoka kwa kichwa "{heading}", ambacho hakimo kwenye orodha{hint}.',
    fix: 'Sahihisha kichwa kwenye orodha, au tengeneza ulinganisho upya kwa paybatch map {sheet} --save {mapping}.',
  },
  'PB-HIDDEN': {
    says: 'Mstari wa {row} umefichwa, hivyo huenda aliyeidhinisha orodha hakuuona.',
    fix: 'Onyesha mstari huo (ondoa kichujio), uufute, au thibitisha kwa --include-hidden kwamba mistari yote iliyofichwa imekusudiwa.',
  },
  'PB-STRUCK': {
    says: '"{value}" imepigwa mstari katikati, hivyo huenda malipo haya hayakusudiwi tena.',
    fix: 'Ondoa mstari uliopigwa, ufute mstari wa orodha, au thibitisha kwa --include-hidden kwamba mistari yote iliyofichwa au kupigwa mstari imekusudiwa.',
  },
  'PB-MERGED': {
    says: 'Seli hii ni sehemu ya seli zilizounganishwa, hivyo haijulikani thamani yake ni ya mistari gani.',
    fix: 'Tenganisha seli hizo na uupe kila mstari thamani yake.',
  },
  'PB-RAGGED': {
    says: 'Mstari una sehemu {fields} ilhali vichwa ni {expected}; huenda thamani zake zimehamia safu nyingine.',
    fix: 'Kagua vitenganishi na alama za nukuu za mstari huu.',
  },
  'PB-BELOW-TABLE': {
    says: 'Mstari wa {row} uko chini ya jedwali, linaloishia mstari wa {last}, lakini unafanana na malipo ({value}).',
    fix: 'Uhamishie ndani ya jedwali, au uufute; mstari mtupu au mstari wa jumla humaliza jedwali.',
  },
  'PB-BELOW-NAMED': {
    says: 'Mstari wa {row} uko chini ya jedwali, linaloishia mstari wa {last}, na haulipwi, lakini unamtaja mtu ({value}).',
    fix: 'Ikiwa kuna mtu wa kulipwa hapo, hamishia mstari ndani ya jedwali; mstari mtupu au mstari wa jumla humaliza jedwali.',
  },
  'PB-ROW-COUNT': {
    says: 'Orodha inasema watu au malipo {value}, na ina mistari {rows}.',
    fix: 'Tafuta nani amekosekana au amezidi, au sahihisha namba hiyo.',
  },
  'PB-TOTAL-ROW': {
    says: 'Jumla inasema {value} lakini mistari yake ikijumlishwa ni {sum}.',
    fix: 'Sahihisha jumla au mistari hadi zikubaliane. Ikiwa namba hii si jumla, ifute.',
  },
  'PB-TOTAL-LEFT-OUT': {
    says: 'Mstari wa jumla unasema {value}; mistari ya kulipwa ikijumlishwa ni {sum}, na {whole} pamoja na iliyoachwa.',
    fix: 'Sahihisha jumla au mistari hadi ilingane na mojawapo ya hizo mbili.',
  },
  'PB-SUBTOTAL-LACKING': {
    says: 'Mstari wa {row} uko chini ya jumla ndogo ya mwisho, na hakuna jumla chini yake inayouhusisha.',
    fix: 'Andika jumla ndogo au jumla chini ya mistari ya sehemu hii. Ikiwa haipaswi kulipwa, ifute.',
  },
  'PB-TOTAL-NO-VALUE': {
    says: 'Mstari wa jumla haukulinganishwa: fomula yake haina matokeo yaliyohifadhiwa. Kiasi kinachosomeka kikijumlishwa ni {sum}.',
    fix: 'Fungua faili katika Excel na uihifadhi, kisha ikague tena; au linganisha jumla na {sum} mwenyewe.',
  },
  'PB-TOTAL-UNREAD': {
    says: 'Mstari wa jumla unasema {value}, na viasi vinavyosomeka vikijumlishwa ni {sum}. Havikulinganishwa, kwa sababu viasi {count} havisomeki (cha kwanza ni {first}).',
    fix: 'Sahihisha viasi hivyo. Ukilipa bila hivyo, hakikisha kwanza kwamba kiasi kinachobaki katika jumla ni chao.',
  },
  'PB-AMOUNT-ALONE': {
    says: 'Mstari wa {row} una kiasi ({value}) na hakuna kingine; mistari iliyo juu yake ikijumlishwa ni {sum}.',
    fix: 'Ikiwa ni jumla, andika TOTAL kando yake. Ikiwa kuna mtu wa kulipwa, taja ni nani na pesa ziende wapi.',
  },
  'PB-TYPE-UNKNOWN': {
    says: '"{value}" si njia ya malipo.',
    fix: 'Tumia mojawapo ya hizi: {kinds}. Ikiwa mstari haulipwi hapa, andika sababu katika safu ya Hold.',
  },
  'PB-TYPE-UNCLEAR': {
    says: 'Haijulikani mstari huu utalipwa kwa njia gani{hint}.',
    fix: 'Jaza tu simu, akaunti au namba nyingine ya kulipwa, au andika njia katika safu ya aina ya malipo: {kinds}.',
  },
  'PB-ACCOUNT-ALONE': {
    says: '{heading} ni {value}, lakini {missing} haisemi ni akaunti ya nani. Bila hiyo {paid} ingelipwa.',
    fix: 'Jaza {missing}, au andika katika safu ya aina jinsi mstari unavyolipwa: {kinds}. Ikiwa hakuna akaunti, ifute.',
  },
  'PB-HOLD-UNCLEAR': {
    says: '"{value}" katika safu ya {heading} haisemi wazi kama mstari huu umezuiwa au ulipwe.',
    fix: 'Futa seli ili mstari ulipwe, au andika kwa nini umezuiwa ("ndiyo" inatosha).',
  },
  'PB-HOLD-ELSEWHERE': {
    says: '{heading} inasema "{value}", lakini ni safu ya {hold} pekee inayozuia mstari.',
    fix: 'Ikiwa mstari usilipwe, andika sababu katika safu ya {hold}. La sivyo, si lazima ufanye lolote.',
  },
  'PB-PAID-BEFORE-SHEET': {
    says: '{heading} ("{value}") inaonyesha kwamba mistari {count} ililipwa awali. Ingelipwa tena.',
    fix: 'Ikiwa ni kweli, andika hivyo katika safu ya {hold} ya kila mstari huo. La sivyo, si lazima ufanye lolote.',
  },
  'PB-CELL-ERROR': {
    says: '{heading} ina hitilafu ya lahajedwali {value}.',
    fix: 'Sahihisha fomula au andika thamani yenyewe.',
  },
  'PB-FORMULA-NO-VALUE': {
    says: '{heading} ni fomula isiyo na jibu lililohifadhiwa.',
    fix: 'Fungua faili kwenye Excel, iache ihesabu, kisha uihifadhi.',
  },
  'PB-CELL-CHARS': {
    says: '{heading} "{value}" ina alama isiyoruhusiwa hapo: {character}.',
    fix: 'Andika thamani hiyo tena.',
  },
  'PB-CELL-DATE': {
    says: '{heading} imehifadhiwa kama tarehe.',
    fix: 'Weka seli iwe Text, kisha andika thamani tena.',
  },
  'PB-CELL-BOOLEAN': {
    says: '{heading} imehifadhiwa kama TRUE au FALSE.',
    fix: 'Weka seli iwe Text, kisha andika thamani tena.',
  },
  'PB-CELL-MISSING': {
    says: '{heading} haijajazwa, na aina hii ya malipo inaihitaji.',
    fix: 'Ijaze, au sahihisha aina ya malipo ya mstari huu.',
  },
  'PB-PLACEHOLDER': {
    says: '{heading} ni "{value}", ambayo watu na programu huandika pasipokuwa na thamani.',
    fix: 'Andika thamani inayokusudiwa, au acha seli tupu pasipohitajika thamani.',
  },
  'PB-ACCOUNT-UNUSED': {
    says: '{heading} haitumiki katika mistari {count}; {paid} inalipwa badala yake. Ya kwanza ni {value}.',
    fix: 'Si lazima ufanye lolote ikiwa ndivyo ilivyokusudiwa. Ili kulipa akaunti za benki, ongeza safu ya misimbo ya benki.',
  },
  'PB-UNUSED-VALUE': {
    says: '{heading} ina {value} katika mistari {count}. Hakuna malipo yanayoitumia.',
    fix: 'Isahihishe ikiwa ilikusudiwa; la sivyo, si lazima ufanye lolote.',
  },
  'PB-TEXT-LENGTH': {
    says: '{heading} ina herufi {length}; kiwango cha juu ni {limit}.',
    fix: 'Ifupishe.',
  },
  'PB-ACCOUNT-LENGTH': {
    says: '{heading} "{value}" ina herufi {length}; kiwango cha juu ni {limit}.',
    fix: 'Kagua namba nzima. Usiifupishe kamwe: kama ni sahihi, muulize mtoa huduma jinsi ya kuilipa.',
  },
  'PB-NAME-MISSING': { says: 'Jina halijajazwa.', fix: 'Andika jina la mtu au biashara.' },
  'PB-NAME-COLUMN': {
    says: 'Hakuna safu ya majina{hint}; kila mstari unaitwa kwa simu au akaunti yake.',
    fix: 'Kagua wanaolipwa kwa namba zao, au ongeza safu yenye kichwa "{heading}".',
  },
  'PB-PHONE-MISSING': { says: 'Namba ya simu haijajazwa.', fix: 'Andika namba ya simu.' },
  'PB-PHONE-LENGTH': {
    says: 'Namba ya simu "{value}" haijakamilika au ni ndefu mno: tarakimu {digits}.',
    fix: 'Andika namba nzima, mfano {example}.',
  },
  'PB-PHONE-EXP': {
    says: 'Excel imefupisha namba hii ya simu kuwa "{value}"; tarakimu zake zimepotea.',
    fix: 'Weka seli iwe Text, kisha andika namba tena.',
  },
  'PB-PHONE-CHARS': {
    says: 'Namba ya simu "{value}" ina alama ambayo si tarakimu: {character}.',
    fix: 'Andika namba kwa tarakimu pekee (herufi O si sifuri).',
  },
  'PB-PHONE-COUNTRY': {
    says: 'Namba ya simu "{value}" si namba ya {country}, ambako akaunti hii inalipa.',
    fix: 'Kagua namba hiyo; ikiwa orodha nzima ni ya nchi nyingine, weka "country" katika mipangilio.',
  },
  'PB-PHONE-LOCAL': {
    says: 'Namba ya simu "{value}" haina msimbo wa nchi, na {currency} si sarafu ya nchi iliyo katika mipangilio ({country}).',
    fix: 'Weka "country" kuwa "{home}" katika ngazi ya juu ya mipangilio. Ikiwa ni namba za {country}, ziandike pamoja na msimbo wa nchi.',
  },
  'PB-PHONE-LIMIT': {
    says: 'Namba ya simu "{value}" ni {read}, yenye herufi {length}; huduma inapokea {limit} tu.',
    fix: 'Kagua namba hiyo. Kama ni sahihi, haiwezi kulipwa hapa: muulize mtoa huduma.',
  },
  'PB-PHONE-LANDLINE': {
    says: 'Namba ya simu "{value}" si namba ya simu ya mkononi.',
    fix: 'Andika namba ya simu ya mkononi ya mpokeaji.',
  },
  'PB-NETWORK-COUNTRY': {
    says: 'Hakuna mtandao wa simu unaojulikana wa nchi ya {country}, kwa hiyo "{value}" haiwezi kulipwa kwa simu.',
    fix: 'Mlipe mtu huyu kwa njia nyingine, kwa mfano kwa benki.',
  },
  'PB-NETWORK-UNKNOWN': {
    says: 'Mtandao wa simu wa "{value}" haujulikani.',
    fix: 'Jaza safu ya mtandao kwa mojawapo ya hizi: {networks}.',
  },
  'PB-NETWORK-DIFFERS': {
    says: 'Orodha inasema {value}, lakini namba hiyo ilitolewa kwanza kwa {network}.',
    fix: 'Ikague; huenda namba imehamishiwa mtandao mwingine.',
  },
  'PB-TILL': {
    says: 'Namba ya till "{value}" haina tarakimu 5 hadi 9.',
    fix: 'Andika namba ya till kama biashara inavyoionyesha.',
  },
  'PB-PAYBILL': {
    says: 'Namba ya paybill "{value}" haina tarakimu 5 hadi 7.',
    fix: 'Andika namba ya paybill kama biashara inavyoionyesha.',
  },
  'PB-PAYBILL-ACCOUNT': {
    says: 'Namba ya akaunti ya paybill haijajazwa.',
    fix: 'Weka hapa namba ya akaunti ya paybill hiyo.',
  },
  'PB-BANK-CODE': {
    says: 'Msimbo wa benki "{value}" si msimbo wa tarakimu 2, 3, 5 au 6, wala si msimbo wa SWIFT wa herufi 8 au 11.',
    fix: 'Andika msimbo pamoja na sifuri zake, kama maandishi: 07, 68000 au PRACKENA.',
  },
  'PB-ACCOUNT-DIGITS': {
    says: '{heading} "{value}" ina zaidi ya tarakimu 15 katika seli ya namba, hivyo Excel imebadilisha tarakimu za mwisho.',
    fix: 'Weka seli iwe Text, kisha andika namba tena.',
  },
  'PB-AMOUNT-MISSING': { says: 'Kiasi hakijajazwa.', fix: 'Andika kiasi, au ufute mstari.' },
  'PB-AMOUNT-ZERO': {
    says: 'Kiasi {value} hakizidi sifuri.',
    fix: 'Andika kiasi kinachozidi sifuri, andika katika safu ya Hold kwa nini hailipwi, au ufute mstari.',
  },
  'PB-AMOUNT-TEXT': {
    says: 'Kiasi "{value}" hakisomeki kama namba.',
    fix: 'Andika tarakimu na nukta kabla ya senti, mfano 1500.50.',
  },
  'PB-AMOUNT-AMBIGUOUS': {
    says: 'Kiasi "{value}" kinaweza kusomwa kwa njia mbili.',
    fix: 'Kiandike bila vitenganishi, mfano 1500.00; ikiwa orodha nzima inatenganisha elfu hivi, ongeza --decimals {mark}.',
  },
  'PB-AMOUNT-MARK': {
    says: 'Kiasi "{value}" kina "{found}" kabla ya senti, lakini orodha hii inasomwa kwa "{expected}" mahali hapo.',
    fix: 'Andika viasi vyote kwa njia moja, mfano 1500.50; ikiwa orodha nzima ina "{found}" mahali hapo, ongeza --decimals {mark}.',
  },
  'PB-AMOUNT-LARGE': {
    says: 'Kiasi {value} ni kikubwa mno.',
    fix: 'Angalia kama nukta ya desimali imekosekana, au kama tarakimu ni za safu nyingine.',
  },
  'PB-AMOUNT-DECIMALS': {
    says: 'Kiasi {value} kina desimali nyingi kuliko za {currency}.',
    fix: 'Andika kiasi chenye desimali {exponent}; paybatch haikadirii kamwe.',
  },
  'PB-AMOUNT-WHOLE': {
    says: 'Kiasi {value} kina senti; aina hii ya malipo hupokea {currency} nzima pekee.',
    fix: 'Andika kiasi kisicho na senti; paybatch haikadirii kamwe.',
  },
  'PB-NOT-DEDUCTED': {
    says: '{value} chini ya "{heading}" haikatwi: mstari wa {row} unalipwa {pay} yote, {amount}.',
    fix: 'Ikiwa bado inapaswa kukatwa, ongeza safu yenye kinachobaki, kama vile Net Pay, kisha ufute au ubadilishe jina la "{pay}".',
  },
  'PB-CURRENCY': {
    says: '"{value}" si sarafu ya kundi hili la malipo ({currency}).',
    fix: 'Orodha moja hulipa sarafu moja: isahihishe, au weka mistari hii kwenye orodha yake.',
  },
  'PB-DUP-REFERENCE': {
    says: 'Namba ya kumbukumbu {value} imerudiwa mara {others}: {rows}.',
    fix: 'Kipe kila malipo namba yake ya kumbukumbu; ikirudiwa mtu anaweza kulipwa mara mbili.',
  },
  'PB-DUP-ROW': {
    says: 'Mstari huu unalipa {value} sawa na mwingine (mara {others}: {rows}), bila namba ya kumbukumbu ya kuitofautisha.',
    fix: 'Futa mstari uliorudiwa, ipe kila mmoja namba ya kumbukumbu, au thibitisha kwa --allow-identical {count}.',
  },
  'PB-DUP-PAYEE': {
    says: '{value} analipwa zaidi ya mara moja katika orodha hii (mistari {rows}).',
    fix: 'Hakikisha kwamba kila moja ya malipo haya yamekusudiwa.',
  },
  'PB-HIDDEN-COUNT': {
    says: 'Jedwali lina mistari {count} iliyofichwa au kupigwa mstari, si {stated}.',
    fix: 'Kagua tena mistari hiyo; idadi ya --include-hidden ni {count} (ikiwa ni 0, iache).',
  },
  'PB-HIDDEN-COLUMN': {
    says: 'Safu ya {heading} inatumika na imefichwa, hivyo huenda aliyeidhinisha orodha hakuiona.',
    fix: 'Onyesha safu hiyo na ukague kilichomo.',
  },
  'PB-ABOVE-TABLE': {
    says: 'Mstari wa {row} uko juu ya vichwa lakini unafanana na malipo ({value}).',
    fix: 'Uhamishie chini ya vichwa, au uufute; mistari iliyo juu ya vichwa hailipwi.',
  },
  'PB-OTHER-TABLE': {
    says: 'Jedwali lingine linaonekana kuanza hapa, kwenye "{value}". Hakuna anayelipwa humo.',
    fix: 'Hamishia watu wake chini ya vichwa vya jedwali, au kwenye faili lao wenyewe. Kama hakuna anayepaswa kulipwa humo, lifute.',
  },
  'PB-SECTION-NOT-PAID': {
    says: 'Mstari "{value}" unasema kwamba mistari iliyo chini yake isilipwe, lakini ingelipwa.',
    fix: 'Ondoa mistari hiyo kwenye orodha, au andika sababu katika safu ya {hold} ya kila mmoja. Kisha ufute mstari huu au ubadilishe maneno yake.',
  },
  'PB-NOTE-NOT-TO-PAY': {
    says: '"{value}" haimo katika mstari wowote wa jedwali, hivyo haizuii malipo yoyote.',
    fix: 'Ikiwa kuna mistari isiyopaswa kulipwa, andika sababu katika safu ya {hold}. Ikiwa bado hakuna cha kulipa, usilipe orodha hii.',
  },
  'PB-TITLE-KIND': {
    says: '"{value}" inataja {kind}, lakini hakuna mstari wenye aina hiyo ya malipo: kila mtu angetumiwa pesa.',
    fix: 'Kwa {kind}, andika "{kind}" katika safu ya {heading} ya kila mstari. Ikiwa watu wapewe pesa, hakuna cha kubadilisha.',
  },
  'PB-TITLE-OTHER': {
    says: '"{value}" si jina la orodha ya malipo ya kufanywa, lakini kila mtu aliye humo angelipwa.',
    fix: 'Hakikisha kuwa hii ndiyo orodha sahihi. Ikiwa ndiyo, badilisha kichwa, au endelea.',
  },
  'PB-FORMULA-CACHED': {
    says: '{heading} inatokana na fomula katika mistari {count}; majibu yaliyohifadhiwa kwenye faili ndiyo yanayotumika.',
    fix: 'Hakikisha faili ilihesabiwa kabla ya kuhifadhiwa, au bandika majibu kama thamani.',
  },
  'PB-PHONE-STRAY': {
    says: 'Namba ya simu "{value}" ina {stray} nyuma yake, ambayo si sehemu ya namba ya simu.',
    fix: 'Andika namba nzima bila kitu kingine.',
  },
  'PB-PHONE-TWO': {
    says: '"{value}" ina namba mbili za simu.',
    fix: 'Acha ile itakayolipwa tu.',
  },
  'PB-PHONE-ZERO': {
    says: 'Namba {count} za simu zimepoteza sifuri ya kwanza; hii ilisomwa kama {read}.',
    fix: 'Si lazima ufanye lolote; weka safu iwe Text ili sifuri zibaki.',
  },
  'PB-NUMBER-FORM': {
    says: '{heading} "{value}" ni namba iliyoandikwa na programu iliyoikokotoa: tarakimu zinaweza kuwa zimepotea au kubadilika.',
    fix: 'Tafuta namba yenyewe, weka seli iwe Text, kisha iandike tena.',
  },
  'PB-NUMBER-SHOWN': {
    says: '{heading} inaonekana kama "{shown}", lakini seli ina {held}, na hiyo ndiyo ingetumwa.',
    fix: 'Weka safu iwe Text, kisha andika namba kama inavyokusudiwa kusomwa.',
  },
  'PB-ACCOUNT-NUMBER': {
    says: '{heading} {value} imehifadhiwa kama namba, hivyo sifuri iliyo mbele yake ingepotea.',
    fix: 'Hakikisha akaunti inaanza hivyo; la sivyo weka seli iwe Text na uiandike tena.',
  },
  'PB-AMOUNT-STYLES': {
    says: 'Viasi vimeandikwa kwa njia mbili: "{first}" katika {firstCell} na "{value}" hapa.',
    fix: 'Viandike vyote kwa njia moja, kwa nukta kabla ya senti, mfano 1234.50.',
  },
  'PB-AMOUNT-SPLIT': {
    says: 'Kiasi {value} na sehemu inayofuata zinasomeka {whole}: huenda hapa koma inatenganisha maelfu, si sehemu.',
    fix: 'Ikiwa {whole} ndicho kiasi, kiweke ndani ya alama za nukuu au kiandike bila koma; ikiwa {value} ndicho kiasi, andika {value}.00.',
  },
  'PB-AMOUNT-SHOWN': {
    says: 'Kiasi kinaonekana kama {shown}, lakini seli ina {held}, na hicho ndicho kingelipwa.',
    fix: 'Ipe seli muundo wa namba General, kisha andika kiasi kinachokusudiwa.',
  },
  'PB-AMOUNT-BESIDE': {
    says: 'Katika kila mstari, "{value}" ni {formula}: huenda ndicho kinachopaswa kulipwa.',
    fix: 'Sema mara moja ni ipi inayolipwa; itakumbukwa kwa orodha zenye vichwa hivi: {commands}.',
  },
  'PB-AMOUNT-CENTS': {
    says: 'Senti ziko katika safu yao wenyewe ({value} hapa), na hazingelipwa.',
    fix: 'Andika kila kiasi pamoja na senti zake katika kisanduku kimoja, kwa mfano 1500.50, kisha futa safu ya senti.',
  },
  'PB-TOTAL-CARRIED': {
    says: 'Mstari huu unaleta jumla kutoka ukurasa mwingine ("{value}"); si malipo.',
    fix: 'Futa mistari inayoleta jumla, na jumla za kurasa zinazoijumuisha.',
  },
  'PB-TOTAL-PAID': {
    says: 'Mstari huu unaitwa {value}, na ungelipwa {amount} kama mtu.',
    fix: 'Kama ni jumla, futa simu, till au akaunti yake. Kama ni mlipwaji, andika jina lake kamili.',
  },
  'PB-AMOUNT-SUM': {
    says: 'Kiasi {value} ni jumla ya mistari mingine yote, kama kwenye mstari wa jumla.',
    fix: 'Kama ni jumla, au akaunti inayolipa, futa mstari huo. Kama ni malipo, hakuna la kufanya.',
  },
  'PB-PHONE-ELSEWHERE': {
    says: 'Safu "{heading}" ina namba nyingine ya simu katika mstari huu ({value}) kuliko ile ambayo ingelipwa ({phone}).',
    fix: 'Bakiza safu ya namba zinazolipwa pekee, au sema ni ipi: paybatch map {sheet} --column phone="{heading}".',
  },
  'PB-PHONE-IN-TEXT': {
    says: '{heading} inataja namba nyingine ya simu kuliko ile ambayo ingelipwa ({phone}) katika {count|mstari|mistari}: "{value}".',
    fix: 'Ikiwa namba hiyo nyingine ndiyo ya kulipwa, iandike kwenye safu ya simu. Vinginevyo hakuna la kufanya.',
  },
  'PB-AMOUNT-IN-TEXT': {
    says: '{heading} inasema "{value}", lakini {amount} ingelipwa ({count|mstari|mistari} ya namna hii).',
    fix: 'Andika kiasi cha kulipwa. Ikiwa kiasi ni sahihi, hakuna la kufanya.',
  },
  'PB-AMOUNT-UNIT': {
    says: '"{value}" inasema kuwa viasi ni vya maelfu au mamilioni. Vingelipwa kama vilivyo.',
    fix: 'Andika kila kiasi kikamilifu, kisha futa maneno haya.',
  },
  'PB-AMOUNT-ROUNDED': {
    says: 'Viasi {count} vinaonyeshwa vimezungushwa. Cha kwanza kinaonyeshwa {shown}, na kinacholipwa ni {held}.',
    fix: 'Hakuna la kufanya ikiwa ndivyo ilivyokusudiwa. Ili kulipa kiasi kamili, kiandike, au kizungushe ndani ya fomula.',
  },
  'PB-AMOUNT-UNSEEN': {
    says: 'Seli ina kiasi {value}, lakini muundo wake wa namba haukionyeshi, hivyo huenda aliyeidhinisha orodha hakukiona.',
    fix: 'Ipe seli muundo wa namba General na ukague kiasi, ufute mstari, au thibitisha kwa --include-hidden kwamba mistari yote iliyofichwa imekusudiwa.',
  },
  'PB-AMOUNT-UNUSUAL': {
    says: 'Kiasi {value} ni zaidi ya mara {factor} ya kiasi cha katikati cha orodha ({median}){hint}.',
    fix: 'Hakikisha si kosa, kwa mfano nukta ya desimali iliyosahauliwa.',
  },
  'PB-NOTE-SHARED': {
    says: '{heading} "{value}" haitatumwa: mstari huu uko kwenye agizo moja na mingine (hadi {lines}), na agizo lina maelezo mamoja kwa yote{hint}.',
    fix: 'Ikiwa maelezo lazima yafike, weka sending.linesPerOrder kuwa 1, au ipe mistari yote maelezo yale yale; vinginevyo si lazima ufanye lolote.',
  },
  'PB-NOTE-UNSENT': {
    says: '{heading} haitatumwa kwa malipo {count}: njia hii ya kulipa haina nafasi ya maelezo.',
    fix: 'Si lazima ufanye lolote; mwarifu mtu huyo kwa njia nyingine ikiwa maelezo lazima yafike.',
  },
  'PB-NET-PAY': {
    says: 'Kiasi {value} si {gross} ukiondoa {deductions}, ambayo ingekuwa {net}.',
    fix: 'Kagua mshahara na makato ya mstari huu.',
  },
  'PB-CURRENCY-HEADING': {
    says: '"{value}" inataja {named}, lakini kundi hili la malipo ni la {currency}.',
    fix: 'Isahihishe, au endesha orodha kwa sarafu ya viasi vyake (--currency {named}).',
  },
  'PB-CURRENCY-SHOWN': {
    says: 'Kiasi kinaonekana kama {shown}, lakini kundi hili la malipo ni la {currency}: {held} zingelipwa kwa {currency}.',
    fix: 'Ikiwa kiasi ni cha {currency}, ipe seli muundo wa namba General; la sivyo endesha orodha kwa sarafu ya viasi vyake (--currency).',
  },
  'PB-CURRENCY-COMPUTER': {
    says: 'Muundo wa namba wa viasi {count} huonyesha sarafu ya kompyuta yoyote inayofungua orodha (kwa baadhi, hapa {shown}); kinacholipwa ni {currency}.',
    fix: 'Hakikisha viasi ni vya {currency}; muundo unaotaja {currency} huonekana vilevile kila mahali.',
  },
  'PB-TEXT-HIDDEN': {
    says: '{heading} "{value}" ina {count|alama isiyoonekana|alama zisizoonekana}: {characters}. Kinachotumwa ni "{sent}".',
    fix: 'Kagua kwamba ndicho kinachokusudiwa; andika tena ili onyo liondoke.',
  },
  'PB-NAME-FORMULA': {
    says: 'Jina linaanza na {character}, kama fomula. Kinachotumwa ni "{sent}".',
    fix: 'Kagua anayelipwa; programu ya lahajedwali inaweza kukokotoa jina kama hilo faili ya CSV inapofunguliwa.',
  },
  'PB-NAME-PLACEHOLDER': {
    says: 'Jina "{value}" huandikwa kwenye mfano, au pasipokuwa na jina; linatumwa kama lilivyo.',
    fix: 'Kagua anayelipwa. Ikiwa mtu huyo anaitwa hivyo, si lazima ufanye lolote.',
  },
  'PB-NAME-DAMAGED': {
    says: 'Jina "{value}" liliharibika njiani: {character} imechukua nafasi ya herufi nyingine.',
    fix: 'Kagua anayelipwa. Hifadhi karatasi tena kama "CSV UTF-8", au andika jina tena.',
  },
  'PB-NAME-SCRIPTS': {
    says: 'Jina "{value}" linachanganya herufi za alfabeti mbili: {character} inafanana tu na herufi ya Kilatini.',
    fix: 'Andika jina tena kwa kibodi moja, na ukague anayelipwa.',
  },
  'PB-IDENTICAL-COUNT': {
    says: 'Orodha ina mistari {count} inayofanana, si {stated}.',
    fix: 'Kagua tena mistari iliyorudiwa; idadi ya --allow-identical ni {count} (ikiwa ni 0, iache).',
  },
  'PB-PAYEE-NAMES': {
    says: 'Mpokeaji {payee} analipwa kwa majina "{first}" (mstari wa {firstRow}) na "{value}"{hint}.',
    fix: 'Kagua namba hiyo ni ya nani.',
  },
  'PB-NAME-PAYEES': {
    says: '"{value}" analipwa kwa {first} (mstari wa {firstRow}) na kwa {payee}{hint}.',
    fix: 'Hakikisha hawa ni watu wawili, au kwamba malipo yote mawili yamekusudiwa.',
  },
  'PB-ID-NAMES': {
    says: 'Namba moja ya kitambulisho au ya kodi iko kando ya "{first}" (mstari wa {firstRow}) na ya "{value}"{hint}.',
    fix: 'Hakikisha kama ni mtu mmoja atakayelipwa mara mbili, au namba ipi kati ya hizo mbili si sahihi.',
  },
  'PB-PAYEE-CLOSE': {
    says: 'Mwenye {payee} ni "{holder}", jina linalokaribiana na "{value}" lakini si lile lile.',
    fix: 'Hakikisha ni mtu yule yule, kisha andika jina kama lilivyo kwenye akaunti.',
  },
  'PB-PAYEE-NO-MATCH': {
    says: 'Mwenye {payee} ni "{holder}", si "{value}".',
    fix: 'Tafuta akaunti hiyo ni ya nani na usahihishe mstari; --accept-no-match huendelea na mistari kama hii kwa idadi yake kamili.',
  },
  'PB-PAYEE-NOT-POSSIBLE': {
    says: 'Haikuweza kujulikana kama {payee} ni ya "{value}"{hint}.',
    fix: 'Hakikisha kwa njia nyingine kabla ya kulipa, kwa mfano kwa kumuuliza mpokeaji.',
  },
};
