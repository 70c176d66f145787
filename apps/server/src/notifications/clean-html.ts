/**
 * Reduces an operator's HTML to what the console's editor produces, so that nothing in it can run in a customer's
 * browser.
 */
import type { Attributes, Tag } from 'sanitize-html'
import { htmlSanitizer } from '#platform/load-when-used.ts'

const marks = ['strong', 'em', 'u', 's', 'code']
const blocks = ['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre']
const deepestNesting = 20

/** @returns HTML, or an empty text if nothing visible is left */
export function cleanHtml(html: string): string {
  const cleaned = htmlSanitizer()(html, {
    allowedTags: [...marks, ...blocks, 'a'],
    allowedAttributes: { a: ['href', 'rel', 'target'], ol: ['start'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nestingLimit: deepestNesting,
    transformTags: { b: 'strong', i: 'em', strike: 's', del: 's', a: cleanLink },
  }).trim()
  return hasText(cleaned) ? cleaned : ''
}

/** The address of the first link that cleaning would remove without a word, or null. */
export function linkThatIsRefused(html: string): string | null {
  let refused: string | null = null
  htmlSanitizer()(html, {
    allowedTags: ['a'],
    nestingLimit: deepestNesting,
    transformTags: {
      a: (tagName, { href }) => {
        if (href !== undefined && !leadsOut(href)) refused ??= href.trim()
        return { tagName, attribs: {} }
      },
    },
  })
  return refused
}

/**
 * Links send no referrer and cannot access the page that opened them. Relative links are removed, because they would
 * lead into the region.
 */
function cleanLink(tagName: string, { href }: Attributes): Tag {
  const attribs = { rel: 'noopener noreferrer nofollow', target: '_blank' }
  return { tagName, attribs: href !== undefined && leadsOut(href) ? { href: href.trim(), ...attribs } : {} }
}

function leadsOut(href: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(href.trim())
}

function hasText(html: string): boolean {
  const text = html.replace(/<[^>]*>/g, '').replace(/&nbsp;|\u00a0|[\u200b-\u200d\ufeff]/g, '')
  return text.trim() !== ''
}
