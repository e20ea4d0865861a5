// Sentences as agents are told and asked them: patterns and what fills them, for the teacher to read.
import { shuffled } from "./random.ts";

const SLOTS: Readonly<Record<string, string>> = {
  name:
    "Anna, Tom, Maria, James, Priya, Chen, Omar, Julia, Peter, Sofia, David, Emma, Luis, Nina, Alex, Grace, Sam, Laura, Ben, Yuki, Carlos, Helen, Ivan, Leila",
  kin:
    "mother, father, sister, brother, grandmother, uncle, aunt, cousin, daughter, son, wife, husband, niece, nephew, girlfriend, boyfriend, partner, best friend, roommate, neighbour, boss, colleague",
  pet: "dog, cat, puppy, kitten, parrot, rabbit, hamster, turtle, horse, goldfish, snake",
  city:
    "Paris, London, Berlin, Tokyo, Madrid, Chicago, Boston, Seattle, Denver, Toronto, Sydney, Dublin, Lisbon, Vienna, Oslo, Mumbai, Cairo, Austin, Prague, Rome, Geneva, Singapore",
  country:
    "Japan, Italy, Brazil, India, Mexico, Norway, Kenya, Greece, Canada, Spain, Germany, Peru, Thailand, Iceland, Ireland, France, Morocco, Turkey",
  food:
    "peanuts, shellfish, cheese, bread, chocolate, mushrooms, eggs, fish, beef, pork, chicken, rice, pasta, garlic, onions, strawberries, milk, gluten, soy, walnuts, tomatoes, avocado, tofu, sushi, pizza, soup, curry, salad",
  drink:
    "coffee, green tea, beer, red wine, orange juice, milk, whisky, sparkling water, lemonade, hot chocolate, an espresso, a latte",
  diet: "vegetarian, vegan, lactose intolerant, on a low carb diet, diabetic, kosher, fasting, pescatarian",
  sport:
    "tennis, football, basketball, running, swimming, cycling, climbing, yoga, skiing, golf, hiking, boxing, rowing, surfing, volleyball, chess",
  instrument: "guitar, piano, violin, drums, cello, flute, trumpet, saxophone, clarinet, ukulele",
  hobby:
    "painting, gardening, photography, knitting, cooking, baking, pottery, woodworking, bird watching, video games, reading, dancing, camping, fishing, writing poetry, collecting stamps, playing chess",
  job:
    "nurse, teacher, lawyer, engineer, doctor, accountant, designer, chef, journalist, carpenter, pilot, programmer, manager, researcher, dentist, architect, electrician, librarian, salesman, translator, student, product manager, data scientist",
  illness:
    "asthma, diabetes, migraines, back pain, hay fever, high blood pressure, insomnia, anxiety, a cold, the flu, a broken leg, a sore knee, a toothache, arthritis",
  medicine: "aspirin, insulin, antibiotics, vitamins, an inhaler, painkillers, blood pressure tablets, antihistamines",
  day: "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
  month: "January, February, March, April, May, June, July, August, September, October, November, December",
  when:
    "in the morning, at noon, in the evening, at night, before breakfast, after work, at the weekend, last week, last month, next year, yesterday, tomorrow, two years ago, in spring, in summer, in autumn, in winter, every day, twice a week, once a month",
  place:
    "the office, the library, the gym, the beach, the airport, the hospital, the garage, the kitchen, the park, the museum, the supermarket, the station, school, a hotel, a restaurant, the mountains, the lake",
  thing:
    "phone, laptop, car, bicycle, camera, watch, umbrella, passport, wallet, keys, headphones, backpack, sofa, desk, lamp, jacket, shoes, ring, tent, book, ticket",
  colour: "red, blue, green, black, white, purple, yellow, orange, grey, pink, brown",
  event:
    "wedding, birthday, funeral, graduation, concert, conference, job interview, exam, dentist appointment, meeting, holiday, anniversary, housewarming party, marathon, charity event, workshop, retirement party, baby shower",
  music: "jazz, rock, classical music, hip hop, folk, heavy metal, country music, opera, blues, techno",
  book:
    "novels, science fiction, crime stories, biographies, poetry, fantasy, comics, history books, cook books, detective films, documentaries, horror films, romantic comedies",
  feeling:
    "happy, sad, proud, nervous, excited, tired, angry, lonely, grateful, worried, bored, relieved, stressed, disappointed, scared, hopeful, confident, embarrassed",
  language: "English, Spanish, French, German, Chinese, Japanese, Arabic, Russian, Portuguese, Hindi, Korean, Italian",
  subject:
    "physics, biology, history, art, economics, mathematics, psychology, law, medicine, computer science, literature, education",
  code: "Python, JavaScript, TypeScript, Rust, Go, Java, Kotlin, Swift, Ruby, PHP, SQL, bash, C",
  store: "Postgres, MySQL, SQLite, Redis, MongoDB, Elasticsearch, Kafka, S3, BigQuery, Snowflake, DynamoDB, RabbitMQ",
  tool:
    "Docker, Kubernetes, Terraform, Jenkins, GitHub Actions, Git, Prometheus, Grafana, Sentry, Slack, Jira, Figma, nginx, Airflow, webpack, npm, pytest, Excel, Notion, Datadog",
  part:
    "login page, checkout, payment service, search index, mobile app, web site, API, database, cache, message queue, scheduler, user profile, notification service, build, test suite, deployment pipeline, dashboard, load balancer, billing job, data warehouse, admin panel, login token, background worker, command line tool",
  fault:
    "times out, crashes, leaks memory, returns an error, is slow, loses messages, runs out of disk space, rejects valid input, shows stale data, double charges customers, fails on Windows, drops connections, blocks the main thread",
  remedy:
    "retry with backoff, an index, a feature flag, a rollback, caching, a larger instance, a lock, a rate limit, batching, a schema migration, pagination, encryption, a hotfix, monitoring, a timeout, validation, a nightly backup",
  rule:
    "tabs, two spaces, single quotes, snake case, camel case, semicolons, small commits, dark mode, metric units, short answers, bullet points, British spelling, 24 hour time, strict types, unit tests first, code review by two people, trunk based development, dependency injection",
  metric:
    "latency, error rate, revenue, churn, conversion, test coverage, memory use, uptime, sign ups, page views, response time, disk usage, cost",
  amount: "two, three, five, ten, twelve, twenty, thirty, fifty, a hundred, a thousand",
};

const PATTERNS: readonly string[] = [
  "I am allergic to {food}",
  "What can {name} not eat?",
  "{name} is {diet}",
  "{name} never eats {food}",
  "Which foods should be avoided?",
  "My favourite food is {food}",
  "What does {name} like to eat?",
  "{name} drinks {drink} {when}",
  "What does {name} drink {when}?",
  "My {kin} lives in {city}",
  "Where does my {kin} live?",
  "{name} moved from {city} to {city}",
  "{name} grew up in {country}",
  "Where is {name} from?",
  "My {kin} is a {job}",
  "What does {name} do for a living?",
  "{name} works as a {job} in {city}",
  "{name} got a new job as a {job}",
  "What is the profession of my {kin}?",
  "{name} has a {pet}",
  "Does {name} have any pets?",
  "{name} adopted a {colour} {pet} {when}",
  "The {pet} has to go to the vet",
  "My {kin} is afraid of the {pet}",
  "{name} plays the {instrument}",
  "Which instrument does {name} play?",
  "{name} goes {sport} {when}",
  "What does {name} do for exercise?",
  "I love {hobby}",
  "What are the hobbies of {name}?",
  "{name} took up {hobby} {when}",
  "My {kin} and I enjoy {hobby} together",
  "{name} relaxes with {hobby} after work",
  "{name} suffers from {illness}",
  "What health problems does {name} have?",
  "I take {medicine} {when}",
  "Which medication does {name} take?",
  "{name} went to the doctor because of {illness}",
  "The {event} is on {day}",
  "When is the {event}?",
  "The {event} of my {kin} is in {month}",
  "We celebrated the {event} at {place}",
  "What happened at the {event}?",
  "{name} is {feeling} about the {event}",
  "How did {name} feel after the {event}?",
  "I was so {feeling} {when}",
  "Why is {name} {feeling}?",
  "{name} lost the {thing} at {place}",
  "Where did I put my {thing}?",
  "I bought a new {colour} {thing}",
  "The {thing} was a gift from my {kin}",
  "What did {name} give to {name}?",
  "{name} travelled to {country} in {month}",
  "Where did {name} go on holiday?",
  "We are planning a trip to {country} with my {kin}",
  "My flight to {city} leaves on {day}",
  "Which airport do I leave from?",
  "I like listening to {music}",
  "What kind of music does {name} like?",
  "{name} went to a {music} concert in {city}",
  "I enjoy reading {book}",
  "What does {name} like to read or watch?",
  "{name} speaks {language} and {language}",
  "Which languages does {name} know?",
  "{name} is learning {language} {when}",
  "{name} studies {subject} at university",
  "What did {name} study?",
  "{name} volunteers at {place} {when}",
  "{name} has {amount} children",
  "How many children does {name} have?",
  "My {kin} is getting married in {month}",
  "{name} and {name} broke up {when}",
  "Remind me to call my {kin} on {day}",
  "What do I have to do on {day}?",
  "I go to {place} every {day}",
  "Meet {name} at {place} {when}",
  "My {colour} {thing} is broken",
  "I usually wake up early {when}",
  "When does {name} go to sleep?",
  "{name} wants to become a {job}",
  "What are the plans of {name} for the future?",
  "{name} dreams of moving to {country}",
  "{name} dislikes {food} but loves {food}",
  "Our house has a {colour} door",
  "I park the car near {place}",
  "The wifi password is on the {thing}",
  "We pay {amount} hundred dollars of rent",
  "We write the {part} in {code}",
  "Which language is the {part} written in?",
  "The {part} uses {store}",
  "Where does the {part} keep its data?",
  "We moved the {part} from {store} to {store}",
  "Deploy the {part} with {tool}",
  "How do we release the {part}?",
  "We use {tool} for the {part}",
  "What do we use instead of {tool}?",
  "The team decided against {tool}",
  "The {part} {fault} under load",
  "Why does the {part} fail?",
  "The {part} {fault} after an upgrade of {store}",
  "We fixed it with {remedy}",
  "How was the outage of the {part} solved?",
  "The user prefers {rule}",
  "What style does the user want?",
  "Always use {rule} in {code}",
  "Never deploy on {day}",
  "Which conventions does the project follow?",
  "{name} owns the {part}",
  "Who is responsible for the {part}?",
  "Ask {name} before changing the {part}",
  "{name} reviews pull requests for the {part}",
  "Who should I contact about the {part}?",
  "The {metric} of the {part} doubled {when}",
  "How good is the {metric} of the {part}?",
  "Alert when {metric} is above {amount} percent",
  "The {part} runs every {amount} minutes",
  "How often does the {part} run?",
  "Staging runs in {city} on {tool}",
  "The {part} listens on port {amount}",
  "Credentials for {store} are in the vault",
  "Where are the secrets kept?",
  "Rotate the keys of the {part} in {month}",
  "The deadline for the {part} is in {month}",
  "When must the {part} be finished?",
  "We postponed the launch of the {part} to {month}",
  "The budget for {tool} is {amount} thousand dollars",
  "What does {tool} cost us?",
  "The customer asked for {remedy} in the {part}",
  "Tests of the {part} need {store}",
  "How do I run the tests?",
  "Add {remedy} to the {part}",
  "The {part} needs {remedy} because it {fault}",
  "Backups of {store} are taken {when}",
  "How long are backups kept?",
  "Logs of the {part} are in {store}",
  "The report on {metric} goes to {name} every {day}",
  "Who gets the weekly report?",
  "The {part} only supports {language}",
  "The {part} has to work offline",
  "We do not support {code} any more",
  "Version {amount} of the {part} breaks {tool}",
  "Which version of {tool} do we use?",
];

/** So many sentences, all different. */
export function phrases(count: number, random: () => number): string[] {
  const words = new Map(Object.entries(SLOTS).map(([slot, list]) => [slot, list.split(", ")]));
  const made = new Set<string>();
  const pick = (_: string, slot: string) => {
    const list = words.get(slot) ?? [];
    return list[Math.floor(random() * list.length)] ?? "";
  };
  for (let round = 0; made.size < count && round < count; round++) {
    for (const pattern of shuffled(PATTERNS, random)) made.add(pattern.replace(/\{(\w+)\}/g, pick));
  }
  return [...made].slice(0, count);
}
