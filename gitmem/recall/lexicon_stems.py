"""The stems of the words of the lexicon that are not their own, as `term_of` gives them.

To stem them anew takes a command longer than to rank: tests/recall/test_lexicon.py says when a line is wrong.
"""

from __future__ import annotations

_STEMS = """
    accessory:accessori acquire:acquir activity:activ advice:advic airplane:airplan allergic:allerg
    allergy:allergi alone:alon angry:angri animal:anim ankle:ankl anniversary:anniversari annoyed:annoy
    anxiety:anxieti apartment:apart apple:appl appliance:applianc arabic:arab argue:argu
    automobile:automobil aws:aw azure:azur baby:babi baguette:baguett baseball:basebal
    basketball:basketbal beagle:beagl berry:berri bicycle:bicycl biology:biolog broken:break
    brownie:browni buddy:buddi business:busi catholic:cathol celebrate:celebr celebration:celebr
    cellphone:cellphon charity:chariti cheesecake:cheesecak chemistry:chemistri chinese:chines
    chocolate:chocol christmas:christma city:citi classical:classic clothes:cloth coffee:coffe
    colleague:colleagu college:colleg comedy:comedi company:compani competition:competit
    complete:complet computer:comput conference:confer console:consol continent:contin
    conversation:convers cookie:cooki country:countri course:cours coworker:cowork cucumber:cucumb
    cuisine:cuisin cupcake:cupcak cycle:cycl cycling:cycl dairy:dairi daisy:daisi damaged:damag
    dance:danc database:databas degree:degre delete:delet device:devic diabetes:diabet
    diagnosis:diagnosi disease:diseas dishwasher:dishwash divorce:divorc donate:donat donation:donat
    drawing:draw eagle:eagl economics:econom elephant:eleph emacs:emac embroidery:embroideri
    employer:employ engage:engag engineering:engin episode:episod erase:eras europe:europ
    exercise:exercis exhausted:exhaust exhibition:exhibit expecting:expect expense:expens family:famili
    fantasy:fantasi fatigue:fatigu favorite:favorit favourite:favourit festival:festiv fiance:fianc
    fiancee:fiance fitness:fit flatmate:flatmat fly:fli football:footbal fracture:fractur france:franc
    fridge:fridg frightened:frighten fundraise:fundrais furniture:furnitur gallery:galleri
    gardening:garden genre:genr germany:germani graduate:graduat graduation:graduat
    grandfather:grandfath grandmother:grandmoth granny:granni greece:greec happy:happi
    headphone:headphon history:histori hobby:hobbi horse:hors hospital:hospit house:hous illness:ill
    image:imag income:incom infection:infect injure:injur injury:injuri insurance:insur italy:itali
    japanese:japanes jeans:jean jewelry:jewelri juice:juic language:languag large:larg league:leagu
    lease:leas lettuce:lettuc lily:lili little:littl live:life lonely:lone macos:maco magazine:magazin
    malfunction:malfunct manager:manag maple:mapl marriage:marriag married:marri marry:marri
    massachusetts:massachusett material:materi medication:medic medicine:medicin meditation:medit
    microwave:microwav mobile:mobil monopoly:monopoli mortgage:mortgag motorcycle:motorcycl movie:movi
    mystery:mysteri nationality:nation nearby:nearbi necklace:necklac netherlands:netherland
    newspaper:newspap niece:niec occupation:occup orange:orang overseas:oversea painting:paint
    parade:parad paris:pari party:parti pastime:pastim performance:perform photography:photographi
    physics:physic picture:pictur pilates:pilat pineapple:pineappl playstation:playstat policy:polici
    poodle:poodl portugal:portug portuguese:portugues position:posit postgres:postgr pottery:potteri
    powershell:powershel prague:pragu pregnancy:pregnanc profession:profess proposal:propos
    psychology:psycholog pudding:pud puppy:puppi purchase:purchas purple:purpl raise:rais recipe:recip
    redis:redi refrigerator:refriger relative:relat religious:religi relocate:reloc remove:remov
    reside:resid residence:resid restaurant:restaur retire:retir retirement:retir retriever:retriev
    romance:romanc roommate:roommat rose:rise rugby:rugbi salary:salari saxophone:saxophon scared:scare
    science:scienc sculpture:sculptur seattle:seattl separate:separ series:seri sibling:sibl
    single:singl smartphone:smartphon smoothie:smoothi spotify:spotifi spouse:spous
    strawberry:strawberri study:studi succulent:succul suggestion:suggest sunflower:sunflow
    sunglasses:sunglass sunny:sunni surgery:surgeri table:tabl teammate:teammat television:televis
    tennis:tenni texas:texa thanksgiving:thanksgiv tiny:tini tired:tire transgender:transgend
    trophy:trophi turtle:turtl ukulele:ukulel uncle:uncl unhappy:unhappi university:univers
    vacation:vacat vegetable:veget vehicle:vehicl volleyball:volleybal volunteer:volunt wedding:wed
    windows:window worried:worri youtube:youtub
"""


def stems() -> dict[str, str]:
    """By word its stem."""
    return dict(pair.split(":") for pair in _STEMS.split())
