import { Document, isScalar, visit } from 'yaml'
import { escapedAsJson, isUnsafe } from '#terminal/shown-text.ts'

/** Ends with a line feed. Texts with control characters stand in double quotes, with the characters escaped. */
export function yamlText(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, scalar) {
      if (isScalar(scalar) && typeof scalar.value === 'string' && isUnsafe(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return escapedAsJson(document.toString({ lineWidth: 0 }))
}
