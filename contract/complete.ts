/**
 * `Value`, as long as nothing is missing: `Missing` is a sentence for each thing that is. The compiler then says, e.g.,
 * Type '"limits.new: no fault must violate it"' does not satisfy the constraint 'never'.
 */
export type Complete<Value, Missing extends never> = Value | Missing;
