import { useSentences } from '#ui/use-sentences.ts'

/** What schema, rules and server say about an import, in the operator's language. */
export function useImportMessages(): (english: string) => string {
  return useSentences('databases')
}
