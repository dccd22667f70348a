# A receiver of webhooks on WEBrick: receiver.rb <port> <right|parsed|unsigned>
require 'json'
require 'openssl'
require 'webrick'

port, variant = ARGV
secret = ENV.fetch('HOOK')
quiet = WEBrick::Log.new(File::NULL)
server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: port.to_i, Logger: quiet, AccessLog: [])

server.mount_proc('/hooks') do |request, response|
  raw = request.body.to_s
  given = request['X-Service-Signature']
  signed = variant == 'parsed' ? JSON.generate(JSON.parse(raw)) : raw
  right = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, signed)}"
  same = given && given.bytesize == right.bytesize && OpenSSL.fixed_length_secure_compare(given, right)
  response.status = same || (variant == 'unsigned' && given.nil?) ? 200 : 401
end

trap('TERM') { server.shutdown }
server.start
