import { useSentences } from '#ui/use-sentences.ts'

/** What rules, schemas and server say about a room's form, in the operator's language. */
export function useMessages(): (english: string) => string {
  return useSentences('form')
}
