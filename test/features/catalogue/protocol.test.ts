import { expectTypeOf, test } from 'vitest';
import type { Features } from '../../../server/protocol/features';
import type { Answer, FeatureName, ParamsOf } from '../../../server/src/features/catalogue/catalogue';

type Answers = { readonly [Name in FeatureName]: Answer<Name> };
type Params = { readonly [Name in FeatureName]: ParamsOf<Name> };
type WrittenAnswers = { readonly [Name in keyof Features]: Features[Name]['answer'] };
type WrittenParams = { readonly [Name in keyof Features]: Features[Name]['params'] };

test('the types written for the client are those of the features', () => {
  expectTypeOf<keyof Features>().toEqualTypeOf<FeatureName>();
  expectTypeOf<Answers>().toExtend<WrittenAnswers>();
  expectTypeOf<WrittenAnswers>().toExtend<Answers>();
  expectTypeOf<Params>().toExtend<WrittenParams>();
});
