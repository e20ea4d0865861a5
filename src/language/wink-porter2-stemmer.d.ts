// The one function of a package that ships no types.
declare module "wink-porter2-stemmer" {
  const stem: (word: string) => string;
  export { stem as default };
}
