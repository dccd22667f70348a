# A receiver of webhooks on Sinatra: sinatra.rb <port> <right|unsigned>
require 'openssl'
require 'sinatra/base'
require 'webrick'

port, variant = ARGV
secret = ENV.fetch('HOOK')

receiver = Class.new(Sinatra::Base) do
  post '/hooks' do
    given = request.env['HTTP_X_SERVICE_SIGNATURE']
    right = "sha256=#{OpenSSL::HMAC.hexdigest('SHA256', secret, request.body.read)}"
    same = Rack::Utils.secure_compare(right, given.to_s)
    status same || (variant == 'unsigned' && given.nil?) ? 200 : 401
  end
end
quiet = WEBrick::Log.new(File::NULL)
Rack::Handler::WEBrick.run(receiver, Host: '127.0.0.1', Port: port.to_i, Logger: quiet, AccessLog: [])
