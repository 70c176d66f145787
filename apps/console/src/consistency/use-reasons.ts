import { useSentences } from '#ui/use-sentences.ts'

/** @returns a function that gives what the server says of findings and repairs in the operator's language. */
export function useReasons(): (english: string) => string {
  const sentenceOf = useSentences('consistency')
  return (english) => english.split('\n').map(lineOf).join(' ')

  /** Of a region that did not answer it is told by name: `region-1: The region …` */
  function lineOf(line: string): string {
    const whole = sentenceOf(line)
    const [, name, reason] = /^([^:]+): (.+)$/.exec(line) ?? []
    return whole === line && name !== undefined && reason !== undefined ? `${name}: ${sentenceOf(reason)}` : whole
  }
}
