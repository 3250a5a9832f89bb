"""English words that stand for each other, and kinds of things with their members.

Written by hand from everyday English. A question asks for the kind ("which dessert") where the
memory names the member ("tart"); it never works the other way round. Each word in its base form;
what is looked up are the stems.
"""

from __future__ import annotations

from functools import cache

from gitmem.recall.lexicon_stems import stems

_SAME = """
    buy purchase order acquire
    sell sale
    movie film cinema
    series season episode
    mom mother mum mama
    dad father papa
    kid child toddler baby
    sibling brother sister
    grandma grandmother granny nana
    grandpa grandfather granddad
    husband spouse wife
    marry wedding marriage
    engage fiance fiancee proposal
    divorce separate breakup
    partner girlfriend boyfriend
    friend buddy pal
    picture photo image photograph
    painting art artwork drawing
    job career work occupation profession position
    boss manager supervisor
    colleague coworker teammate
    company firm employer business
    salary wage pay income
    hire recruit employ
    retire retirement pension
    doctor physician dr
    hospital clinic
    medicine medication drug pill
    sick ill illness disease
    injury injure hurt wound
    allergy allergic
    pregnant pregnancy expecting
    house home
    apartment flat condo
    rent lease landlord
    roommate flatmate
    live reside residence
    move relocate
    car vehicle automobile
    bike bicycle
    airplane plane flight fly
    train railway
    store shop market supermarket
    trip travel journey vacation visit
    hotel resort hostel
    beach ocean sea coast
    forest wood
    mountain hill peak
    lake river
    gift present
    party celebration celebrate
    birthday anniversary
    meal dinner lunch breakfast
    cook bake recipe
    dish meal food
    favorite favourite
    restaurant cafe diner
    class course lesson workshop
    college university
    degree graduate graduation diploma
    study learn research
    teacher instructor tutor professor
    teach mentor coach
    student pupil
    exam test quiz
    book novel
    write author writer
    magazine newspaper journal
    exercise workout gym fitness
    run jog marathon
    hike trail trek
    swim pool
    bicycle cycling
    team club league
    match game tournament competition
    win prize award trophy medal
    television tv
    phone smartphone cellphone mobile
    computer laptop pc
    bug defect fault error
    fix repair
    broken malfunction damaged
    delete remove erase
    concert gig show performance
    festival fair
    singer musician band
    song track
    dance dancer ballet
    city town
    road street
    country nation
    abroad overseas
    hobby interest pastime
    volunteer charity
    donate donation fundraise raise
    money cash dollar
    cost price spend pay expense
    cheap discount bargain sale
    loan mortgage debt
    insurance policy
    plan goal intend
    talk speak chat conversation discuss
    advice tip suggestion
    quarrel argue argument fight
    help support assist
    scared afraid fear frightened
    happy glad joy
    sad unhappy upset
    angry mad annoyed
    worried anxious anxiety stress
    tired exhausted fatigue
    proud pride
    lonely alone
    dream wish hope
    begin start
    finish complete end
    big large huge
    small little tiny
    near nearby close
    pet dog cat
    vet veterinarian
    garden gardening yard
    lgbtq gay lesbian transgender queer
    church religion religious faith
    yoga meditation
"""

_KINDS = """
    money: $
    spend: $
    cost: $
    price: $
    pay: $
    expense: $
    amount: $
    salary: $
    raise: $
    pet: dog cat puppy kitten hamster rabbit parrot goldfish turtle lizard
    animal: dog cat horse bird turtle snake bear deer fish elephant lion monkey
    bird: eagle owl parrot robin sparrow duck
    breed: labrador retriever poodle shepherd bulldog beagle terrier
    instrument: guitar piano violin drum clarinet flute cello saxophone ukulele trumpet keyboard
    music: song band concert album jazz rock classical pop guitar piano
    artist: singer band painter musician
    continent: europe asia africa america australia
    country: england france germany spain italy portugal greece japan china india canada mexico brazil
        australia sweden norway denmark finland ireland scotland turkey egypt thailand vietnam korea
        indonesia netherlands switzerland austria poland russia peru argentina
    city: london paris tokyo berlin rome boston chicago seattle barcelona york toronto sydney amsterdam
        madrid vienna prague dublin miami denver
    state: california texas florida oregon washington arizona colorado michigan ohio minnesota georgia
        virginia massachusetts
    nationality: american british german french indian chinese japanese swedish
    language: english spanish french german italian chinese japanese korean portuguese arabic
    sport: football soccer basketball tennis baseball volleyball hockey golf swim rugby surf ski cricket
    exercise: yoga run swim hike cycle pilates weight
    activity: hike swim camp paint dance yoga run fish climb kayak pottery
    outdoor: hike camp fish climb kayak
    hobby: paint read hike garden photography knit dance pottery swim cook chess
    game: chess poker xbox nintendo playstation monopoly
    console: xbox nintendo playstation switch
    art: paint sculpture draw pottery mural sketch
    craft: knit sew pottery crochet embroidery
    dessert: cake pie tart cookie brownie pudding cheesecake chocolate cupcake ice
    bake: cake bread cookie baguette pie muffin cupcake
    fruit: apple banana orange lemon lime berry strawberry grape mango peach pear pineapple
    citrus: orange lemon lime grapefruit
    vegetable: carrot tomato potato onion pepper spinach broccoli lettuce cucumber
    meat: beef pork chicken turkey lamb bacon steak
    seafood: fish salmon shrimp crab lobster tuna
    drink: coffee tea beer wine juice cocktail soda smoothie water
    alcohol: beer wine whiskey vodka gin rum cocktail
    food: pizza pasta salad burger sushi taco soup sandwich rice
    cuisine: italian mexican indian thai chinese japanese french korean
    diet: vegan vegetarian keto gluten dairy
    clothes: shirt dress jacket jeans sweater coat skirt hat suit
    shoe: sneaker boot sandal heel loafer
    jewelry: ring necklace earring bracelet pendant
    accessory: bag hat scarf belt watch sunglasses
    furniture: table chair couch sofa bed bookshelf desk mattress dresser shelf
    appliance: oven toaster fridge refrigerator blender microwave fryer dishwasher washer mixer
    device: phone laptop tablet camera headphone watch
    vehicle: car truck motorcycle bike van bus
    family: mom dad sister brother cousin aunt uncle grandma parent niece nephew son daughter
    parent: mom dad mother father
    child: son daughter
    relative: cousin aunt uncle grandma grandpa niece nephew
    relationship: single married divorce breakup boyfriend girlfriend husband wife
    doctor: dermatologist dentist surgeon specialist therapist pediatrician psychiatrist cardiologist
    illness: flu cold fever cancer diabetes asthma infection pneumonia
    health: doctor illness surgery diagnosis hospital allergy
    injury: sprain fracture ankle broken cut
    religion: church christian muslim buddhist jewish hindu catholic
    holiday: christmas thanksgiving easter halloween hanukkah
    season: summer winter spring autumn fall
    weather: rain snow storm sunny wind
    flower: rose lily tulip sunflower orchid daisy
    plant: succulent lily fern basil cactus flower tomato herb
    tree: oak pine maple birch
    color: red blue green yellow black white purple pink orange brown
    material: wood metal glass plastic leather cotton
    weekday: monday tuesday wednesday thursday friday
    weekend: saturday sunday
    degree: bachelor master phd
    major: psychology engineering biology economics history computer
    subject: math science history english biology chemistry physics
    school: kindergarten college university highschool
    stream: netflix hulu disney amazon spotify youtube
    social: instagram facebook twitter tiktok
    genre: fantasy mystery romance thriller horror comedy
    event: wedding concert festival parade conference party
    museum: gallery exhibit exhibition
    database: postgres postgresql mysql sqlite mongodb redis
    editor: vim emacs vscode
    shell: bash zsh fish powershell
    cloud: aws azure gcp
    os: linux windows macos ubuntu
"""

RELATED_LIMIT = 40


@cache
def _table() -> dict[str, tuple[str, ...]]:
    """For each stem, the stems of the words that may stand in its place."""
    stem_of = stems()
    found: dict[str, dict[str, None]] = {}
    for line in filter(None, map(str.split, _SAME.splitlines())):
        group = [stem_of.get(word, word) for word in line]
        for word in group:
            found.setdefault(word, {}).update(dict.fromkeys(group))
    head = ""
    for word in _KINDS.split():
        if word.endswith(":"):
            head = stem_of.get(word[:-1], word[:-1])
        else:
            found.setdefault(head, {})[stem_of.get(word, word)] = None
    return {word: tuple(other for other in others if other != word) for word, others in found.items()}


def related(term: str) -> tuple[str, ...]:
    """The terms that may stand for `term` in a memory that answers a question with it."""
    return _table().get(term, ())[:RELATED_LIMIT]


@cache
def _plain_words() -> dict[str, str]:
    stem_of = stems()
    return {stem_of.get(word, word): word for word in reversed(words())}


def words() -> list[str]:
    """All words of these lists, as they stand there."""
    return [*_SAME.split(), *(word.removesuffix(":") for word in _KINDS.split())]


def plain_word(term: str) -> str:
    """The word of these lists whose term is `term`, for people to read."""
    return _plain_words().get(term, term)
