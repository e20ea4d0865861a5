// English as search needs it: words that carry nothing, and forms that no stemming rule reaches.

export const STOP_WORDS: ReadonlySet<string> = new Set(
  (`a about above after again against all also am an and any are arent as at be because been before being below between both but
  by can cannot cant could couldnt did didnt do does doesnt doing dont down during each either else ever every few for from
  further get gets getting got had hadnt has hasnt have havent having he hed her here heres hers herself him himself his how
  hows i id if ill im in into is isnt it its itself ive just lets like me more most much mustnt my myself no nor not now of
  off on once only or other ought our ours ourselves out over own quite rather really same shall shant she should shouldnt so
  some such than that thats the their theirs them themselves then there theres these they theyd theyre theyve this those
  through to too under until up us very was wasnt we were werent weve what whats when whens where wheres which while who whom
  whos whose why will with wont would wouldnt yes you youd youll your youre yours yourself yourselves youve`).split(
    /\s+/,
  ),
);

const FORMS = `go:went,gone,goes be:being see:saw,seen buy:bought bring:brought think:thought teach:taught catch:caught
  fight:fought seek:sought tell:told sell:sold say:said make:made find:found leave:left lose:lost feel:felt keep:kept
  sleep:slept meet:met feed:fed lead:led read:reading send:sent spend:spent build:built lend:lent bend:bent hold:held
  stand:stood understand:understood win:won run:ran begin:began,begun drink:drank,drunk swim:swam,swum sing:sang,sung
  ring:rang,rung write:wrote,written ride:rode,ridden drive:drove,driven rise:rose,risen choose:chose,chosen
  speak:spoke,spoken break:broke,broken wake:woke,woken steal:stole,stolen freeze:froze,frozen take:took,taken
  shake:shook,shaken give:gave,given forgive:forgave,forgiven eat:ate,eaten fall:fell,fallen know:knew,known
  grow:grew,grown throw:threw,thrown blow:blew,blown fly:flew,flown draw:drew,drawn show:shown wear:wore,worn
  tear:tore,torn swear:swore,sworn bear:bore,born,borne forget:forgot,forgotten hide:hid,hidden bite:bit,bitten
  do:done come:came become:became overcome:overcame sit:sat shoot:shot stick:stuck strike:struck hang:hung dig:dug
  spin:spun shine:shone light:lit pay:paid lay:laid hear:heard mean:meant deal:dealt dream:dreamt learn:learnt burn:burnt
  lie:lain,lying die:dying tie:tying child:children man:men woman:women person:people foot:feet tooth:teeth mouse:mice
  goose:geese wife:wives life:lives knife:knives leaf:leaves half:halves shelf:shelves wolf:wolves index:indices
  matrix:matrices vertex:vertices analysis:analyses crisis:crises criterion:criteria datum:data schema:schemata
  good:better,best bad:worse,worst far:further,farther big:bigger,biggest refactor:refactoring,refactored`;

/** Irregular form → dictionary form. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  FORMS.split(/\s+/).flatMap((entry) => {
    const [base = "", forms = ""] = entry.split(":");
    return forms.split(",").map((form) => [form, base] as const);
  }),
);
