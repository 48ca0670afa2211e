import type { Disposable } from '../../../base/disposable';
import type { ProviderSetting } from '../settings';

/** Registers a feature for the languages where it is wanted, at run time, because that may change. */
export class LanguageRegistration {
  #registered = '';
  #registration: Promise<Disposable> | undefined;
  #setting: ProviderSetting = 'auto';
  #withoutProvider: readonly string[] = [];

  constructor(
    /** Every language that could be served. */
    private readonly languages: readonly string[],
    private readonly register: (selector: { readonly scheme: string; readonly language: string }[]) => Promise<Disposable>,
  ) {}

  set setting(value: ProviderSetting) {
    this.#setting = value;
    this.#refresh();
  }

  /** Languages that no other extension serves. */
  set withoutProvider(languages: readonly string[]) {
    this.#withoutProvider = languages;
    this.#refresh();
  }

  #refresh(): void {
    const { languages } = this;
    const wanted =
      this.#setting === 'always' ? languages : this.#setting === 'never' ? [] : languages.filter(language => this.#withoutProvider.includes(language));
    const key = wanted.join();
    if (key === this.#registered) return;
    this.#registered = key;
    const before = this.#registration;
    const next = wanted.length === 0 ? undefined : this.register(wanted.map(language => ({ scheme: 'file', language })));
    this.#registration = next;
    before?.then(registration => registration.dispose()).catch(() => undefined);
    next?.catch(() => undefined);
  }
}
