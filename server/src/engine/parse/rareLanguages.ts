import type { LanguageId } from '../../model/languages';
import type { Parsing } from './parsing';

/** `parsing`, told of each request that does not say it whether its language is rare in the workspace. */
export function tellingRare(parsing: Parsing, isRareLanguage: (language: LanguageId) => boolean): Parsing {
  return {
    concurrency: parsing.concurrency,
    decode: packed => parsing.decode(packed),
    run: (request, token) => {
      const { language, isRare = language !== undefined && isRareLanguage(language) } = request;
      return parsing.run({ ...request, isRare }, token);
    },
  };
}
