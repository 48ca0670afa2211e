/** What a new atom starts with: headings for one kind of knowledge, and below each what to write there. */
export interface AtomTemplate {
  readonly label: string;
  readonly icon: string;
  readonly detail: string;
  readonly sections: readonly (readonly [heading: string, prompt: string])[];
}

export const ATOM_TEMPLATES: readonly AtomTemplate[] = [
  { label: 'Empty', icon: 'file', detail: 'Start without headings', sections: [] },
  {
    label: 'Overview',
    icon: 'book',
    detail: 'What this code is for, how it works together, and what must stay true',
    sections: [
      ['Purpose', 'What is this code for, and who uses it?'],
      ['How it works', 'How do the parts work together? Name the files to read first.'],
      ['Constraints', 'What must stay true when this code is changed?'],
    ],
  },
  {
    label: 'Decision',
    icon: 'law',
    detail: 'What was decided and why, so that it is not decided again',
    sections: [
      ['Decision', 'What was decided?'],
      ['Reasons', 'Why? What was measured or required?'],
      ['Alternatives', 'What else was considered, and why was it rejected?'],
      ['Consequences', 'What follows from it? When should it be reconsidered?'],
    ],
  },
  {
    label: 'Convention',
    icon: 'checklist',
    detail: 'A rule that this code follows, with an example',
    sections: [
      ['Rule', 'What does all code here do?'],
      ['Reason', 'What goes wrong without it?'],
      ['Example', 'Which code shows it best?'],
      ['Exceptions', 'Where does it not apply?'],
    ],
  },
  {
    label: 'Pitfall',
    icon: 'warning',
    detail: 'A mistake that is easy to make here, and what to do instead',
    sections: [
      ['Symptom', 'What can be seen when it goes wrong?'],
      ['Cause', 'Why does it happen?'],
      ['What to do instead', 'What is the safe way?'],
    ],
  },
  {
    label: 'How-to',
    icon: 'list-ordered',
    detail: 'The steps of a change that is made again and again',
    sections: [
      ['When', 'Which change is this about?'],
      ['Steps', '1. Which file comes first?'],
      ['Check', 'Which tests or commands show that it works?'],
    ],
  },
];

/** The headings alone: the text of an atom whose author has written nothing yet says nothing that is not so. */
export function headingsOf({ sections }: AtomTemplate): string {
  return sections.map(([heading]) => `## ${heading}`).join('\n\n');
}

/** The same with a place to fill in below each heading, as the editor's snippets write it. */
export function snippetOf({ sections }: AtomTemplate): string {
  return sections.map(([heading, prompt], at) => `## ${heading}\n\n\${${at + 1}:${prompt.replace(/[\\$}]/g, '\\$&')}}`).join('\n\n');
}
