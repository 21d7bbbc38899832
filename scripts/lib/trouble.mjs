/** A bad state that the reader can mend: told in its one sentence, without a stack. */
export class Trouble extends Error {
  expected = true
}
