; Frozen reference query of the floor: definitions, calls, imports. Never tuned.
(function_definition name: (identifier) @definition)
(class_definition name: (identifier) @definition)
(assignment left: (identifier) @definition)
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(import_statement) @import
(import_from_statement) @import
