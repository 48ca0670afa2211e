import { err, ok, type Result } from '../base/result';
import { phrase, toolRef } from '../model/hints';
import type { Author, Decision, Records } from '../model/records';
import { nameIssues } from './checks';
import { Edit } from './edits';
import { type Container, type ContainerType, MAX_SIZES, type Section, type Template, type TemplateSection } from './entities';
import { broken, type Issue, invalidFields, missing, type WorkFailure } from './failures';
import { newSection, textIssues } from './sections';

type Decided<T> = Result<Decision<T>, WorkFailure>;

export interface TemplateFields {
  readonly name?: string;
  readonly containerType?: ContainerType;
  readonly sections?: readonly TemplateSection[];
}

/** Creates a template for tasks or features. Fails when its name is missing or a section is invalid. */
export function createTemplate(records: Records, author: Author, fields: TemplateFields): Decided<Template> {
  const edit = new Edit(records, author.agentId);
  const { name, containerType = 'task', sections = [] } = fields;
  if (name === undefined) return err(invalidFields([{ field: 'name', message: 'is required to create a template' }]));
  const template = checked(edit, { id: edit.newId('template'), projectId: edit.projectId, name, containerType, sections });
  if (!template.ok) return template;
  edit.putTemplate(template.value);
  return ok({ records: edit.drafts, result: template.value });
}

/** Changes fields of a template; containers that were made from it stay as they are. */
export function updateTemplate(records: Records, author: Author, id: string, fields: TemplateFields): Decided<Template> {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.template(id);
  if (found === undefined) return err(missing('template', id, phrase`Use ${toolRef('manage_template', { operation: 'list' })} to list them.`));
  const { name = found.name, containerType = found.containerType, sections = found.sections } = fields;
  const template = checked(edit, { ...found, name, containerType, sections });
  if (!template.ok) return template;
  edit.putTemplate(template.value);
  return ok({ records: edit.drafts, result: template.value });
}

/** Deletes a template; containers that were made from it stay. `NOT_FOUND` for an unknown id. */
export function deleteTemplate(records: Records, author: Author, id: string): Decided<{ readonly deletedId: string }> {
  const edit = new Edit(records, author.agentId);
  const found = edit.view.template(id);
  if (found === undefined) return err(missing('template', id, phrase`Use ${toolRef('manage_template', { operation: 'list' })} to list them.`));
  edit.removeTemplate(found.id);
  return ok({ records: edit.drafts, result: { deletedId: found.id } });
}

export interface TemplateApplied {
  readonly containerId: string;
  /** Titles of the sections that were missing. */
  readonly added: readonly string[];
}

/** Adds what is missing and changes nothing that is there. */
export function useTemplate(records: Records, author: Author, id: string, targetId: string): Decided<TemplateApplied> {
  const edit = new Edit(records, author.agentId);
  const container = edit.view.container(targetId);
  if (container === undefined) return err(missing('task or feature', targetId));
  const applied = applyTemplate(edit, id, container, edit.view.sections(container.id));
  if (!applied.ok) return applied;
  return ok({ records: edit.drafts, result: { containerId: container.id, added: applied.value.map(section => section.title) } });
}

/** Adds the sections of a template that the container lacks, after those it has; titles are compared whatever their case. */
export function applyTemplate(edit: Edit, id: string, container: Container, present: readonly Section[]): Result<readonly Section[], WorkFailure> {
  const template = edit.view.template(id);
  if (template === undefined) return err(missing('template', id, phrase`Use ${toolRef('manage_template', { operation: 'list' })} to list them.`));
  if (template.containerType !== container.type) {
    return err(broken(`${template.name} is a template for ${template.containerType}s; ${container.id} is a ${container.type}.`, 'Choose another template.'));
  }
  const titles = new Set(present.map(section => section.title.toLowerCase()));
  const lacking = template.sections.filter(section => !titles.has(section.title.toLowerCase()));
  return ok(lacking.map((row, at) => edit.add({ ...newSection(edit, container, row.title, row.content), ordinal: present.length + at })));
}

function checked(edit: Edit, template: Template): Result<Template, WorkFailure> {
  const { id, name, sections } = template;
  const titles = sections.map(section => section.title.trim().toLowerCase());
  const issues: Issue[] = [
    ...nameIssues('name', name),
    ...(edit.view.templates().some(other => other.id !== id && other.name.toLowerCase() === name.trim().toLowerCase())
      ? [{ field: 'name', message: `is already used by another template` }]
      : []),
    ...(sections.length > MAX_SIZES.templateSections
      ? [{ field: 'sections', message: `has ${sections.length} entries; at most ${MAX_SIZES.templateSections} are allowed` }]
      : []),
    ...sections.flatMap(textIssues).map(issue => ({ ...issue, field: `sections.${issue.field}` })),
    ...(new Set(titles).size < titles.length ? [{ field: 'sections', message: 'contains a title twice' }] : []),
  ];
  if (issues.length > 0) return err(invalidFields(issues));
  const ordered = [...sections].sort((a, b) => a.ordinal - b.ordinal);
  return ok({ ...template, name: name.trim(), sections: ordered.map((row, ordinal) => ({ title: row.title.trim(), content: row.content.trim(), ordinal })) });
}
